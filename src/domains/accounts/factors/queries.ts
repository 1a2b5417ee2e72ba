import { randomInt } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import type { Passkeys, SecondFactors } from '../../../platform/db/types.ts';
import { newId } from '../../../platform/ids.ts';
import { tokenHash } from '../../../platform/secrets.ts';

export type FactorRow = Selectable<SecondFactors>;

/** Whom it is about. */
export interface Person {
  accountId: string;
  userId: string;
}

/** What somebody has to prove who they are with, beside a password. */
export interface Factors {
  totpConfirmed: string | null;
  passkeys: number;
  recoveryCodes: number;
}

export async function findFactors(db: Db, { accountId, userId }: Person): Promise<Factors> {
  const { rows } = await sql<Factors>`
    select (select totp_confirmed from second_factors where account_id = ${accountId} and user_uuid = ${userId}) as "totpConfirmed",
      (select count(*)::int from passkeys where account_id = ${accountId} and user_uuid = ${userId}) as passkeys,
      (select count(*)::int from recovery_codes where account_id = ${accountId} and user_uuid = ${userId}) as "recoveryCodes"`.execute(
    db,
  );
  return rows[0]!;
}

export const hasFactor = ({ totpConfirmed, passkeys }: Pick<Factors, 'totpConfirmed' | 'passkeys'>): boolean =>
  totpConfirmed !== null || passkeys > 0;

/** The row of somebody, which nobody else changes until the transaction is over. */
export const lockFactor = (db: Db, { accountId, userId }: Person): Promise<FactorRow | undefined> =>
  db
    .selectFrom('second_factors')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('user_uuid', '=', userId)
    .forUpdate()
    .executeTakeFirst();

export const ensureFactor = (db: Db, { accountId, userId }: Person) =>
  db
    .insertInto('second_factors')
    .values({ account_id: accountId, user_uuid: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export type FactorChange = Partial<Omit<FactorRow, 'account_id' | 'user_uuid'>>;

export const updateFactor = (db: Db, { accountId, userId }: Person, change: FactorChange) =>
  db
    .updateTable('second_factors')
    .set(change)
    .where('account_id', '=', accountId)
    .where('user_uuid', '=', userId)
    .execute();

/** Whether that was one of the codes that are left; it is not any more. */
export async function takeRecoveryCode(db: Db, { accountId, userId }: Person, code: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('account_id', '=', accountId)
    .where('user_uuid', '=', userId)
    .where('hash', '=', recoveryHash(code))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** New codes in place of those that are left. */
export async function replaceRecoveryCodes(db: Db, { accountId, userId }: Person): Promise<string[]> {
  await deleteRecoveryCodes(db, { accountId, userId });
  const codes = Array.from({ length: recoveryCodes }, newRecoveryCode);
  const rows = codes.map((code) => ({ account_id: accountId, user_uuid: userId, hash: recoveryHash(code) }));
  await db.insertInto('recovery_codes').values(rows).execute();
  return codes;
}

const deleteRecoveryCodes = (db: Db, { accountId, userId }: Person) =>
  db.deleteFrom('recovery_codes').where('account_id', '=', accountId).where('user_uuid', '=', userId).execute();

/** Takes all that somebody has away, of every kind. */
export async function deleteFactors(db: Db, person: Person): Promise<void> {
  const { accountId, userId } = person;
  await deleteRecoveryCodes(db, person);
  await db.deleteFrom('passkeys').where('account_id', '=', accountId).where('user_uuid', '=', userId).execute();
  await db.deleteFrom('second_factors').where('account_id', '=', accountId).where('user_uuid', '=', userId).execute();
}

/** Ends what somebody was given for signing in, but for the token at hand and the one that it was made from. */
export async function endOtherSignIns(db: Db, { accountId, userId }: Person, tokenId: string): Promise<void> {
  await sql`
    delete from tokens
    where account_id = ${accountId} and user_uuid = ${userId} and uuid <> ${tokenId} and uuid is distinct from (
      select parent from tokens as own where own.account_id = ${accountId} and own.uuid = ${tokenId})`.execute(db);
}

/** Whoever holds the token has proved at that moment who they are; `secondFactor`: with one. */
export const markAuthenticated = (
  db: Db,
  { accountId, tokenId }: { accountId: string; tokenId: string },
  { at, secondFactor }: { at: string; secondFactor: boolean },
) =>
  db
    .updateTable('tokens')
    .set({ authenticated: at, ...(secondFactor && { second_factor: true }) })
    .where('account_id', '=', accountId)
    .where('uuid', '=', tokenId)
    .execute();

export type PasskeyRow = Selectable<Passkeys>;
export type NewPasskey = Pick<PasskeyRow, 'name' | 'credential_id' | 'public_key' | 'counter' | 'transports' | 'rp_id'>;

export const listPasskeys = (db: Db, { accountId, userId }: Person): Promise<PasskeyRow[]> =>
  db
    .selectFrom('passkeys')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('user_uuid', '=', userId)
    .orderBy('uuid')
    .execute();

/** undefined: it is known already. */
export const insertPasskey = (
  db: Db,
  { accountId, userId }: Person,
  passkey: NewPasskey,
): Promise<PasskeyRow | undefined> =>
  db
    .insertInto('passkeys')
    .values({ account_id: accountId, uuid: newId(), user_uuid: userId, ...passkey })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

/** Whose passkey it is; whoever signs in with one does not say of which account they are. */
export const findPasskeyAnyAccount = (db: Db, credentialId: string): Promise<PasskeyRow | undefined> =>
  db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst();

export const renamePasskey = (
  db: Db,
  { accountId, userId }: Person,
  uuid: string,
  name: string,
): Promise<PasskeyRow | undefined> =>
  db
    .updateTable('passkeys')
    .set({ name })
    .where('account_id', '=', accountId)
    .where('user_uuid', '=', userId)
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirst();

export async function deletePasskey(db: Db, { accountId, userId }: Person, uuid: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeys')
    .where('account_id', '=', accountId)
    .where('user_uuid', '=', userId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export const notePasskeyUse = (
  db: Db,
  { account_id, uuid }: PasskeyRow,
  { counter, at }: { counter: number; at: string },
) =>
  db
    .updateTable('passkeys')
    .set({ counter, last_used: at })
    .where('account_id', '=', account_id)
    .where('uuid', '=', uuid)
    .execute();

export const recoveryCodes = 10;
/** Without letters and digits that look alike. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
const groups = 4;
const groupLength = 4;

/** A code such as `k7wq-m2xh-9tdp-4bfn`: 79 random bits, so one round of SHA-256 is enough for what is stored of it. */
const newRecoveryCode = (): string => Array.from({ length: groups }, newGroup).join('-');

const newGroup = (): string => Array.from({ length: groupLength }, () => letters[randomInt(letters.length)]).join('');

/** What is stored of a code, however it is typed. */
const recoveryHash = (code: string): string => tokenHash(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
