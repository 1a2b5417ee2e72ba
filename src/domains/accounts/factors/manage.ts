import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { type Db, inTransaction } from '../../../platform/db/connect/pool.ts';
import { ApiError, notFound, ValidationError } from '../../../platform/errors.ts';
import type { Principal } from '../../../platform/http/route.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { type AccountRow, findAccount } from '../queries.ts';
import { endSignInsWithoutSso, hasEnabledProvider, hasOwnerWithPassword } from '../sso/queries.ts';
import { tokenCache } from '../tokens/authenticate.ts';
import { findUser, type UserRow } from '../users/queries.ts';
import { newTotpSecret, stepOf, totpUrl } from './codes.ts';
import { readRegistration } from './passkeys.ts';
import {
  deleteFactors,
  deletePasskey,
  endOtherSignIns,
  ensureFactor,
  type Factors,
  findFactors,
  hasFactor,
  insertPasskey,
  lockFactor,
  markAuthenticated,
  type PasskeyRow,
  type Person,
  replaceRecoveryCodes,
  updateFactor,
} from './queries.ts';
import type { AccountSecurityPatch } from './schemas.ts';

/** The person who asks; 403 for the token of a program. */
export function personOf({ accountId, userId }: Principal): Person {
  if (userId === undefined) throw new ApiError('person_required');
  return { accountId, userId };
}

export async function userOf(db: Db, principal: Principal): Promise<UserRow> {
  const { accountId, userId } = personOf(principal);
  const user = await findUser(db, accountId, userId);
  if (!user) throw new ApiError('authentication_failed', { headers: { 'www-authenticate': 'Token' } });
  return user;
}

/** A new secret for an authenticator app. It counts from its first code on; until then one that was confirmed before does. */
export async function startTotp({ db, vault }: Deps, principal: Principal) {
  const person = personOf(principal);
  const { username } = await userOf(db, principal);
  const { name: issuer } = await findAccount(db, principal.accountId);
  const secret = newTotpSecret();
  await inTransaction(db, async (db) => {
    await ensureFactor(db, person);
    const row = await lockFactor(db, person);
    if (row?.totp_confirmed) {
      throw new ValidationError({
        non_field_errors: ['You have an authenticator app. Remove it before you set up another.'],
      });
    }
    await updateFactor(db, person, { totp_secret: vault.seal(secret), totp_confirmed: null, totp_step: 0 });
  });
  return { secret, otpauth_url: totpUrl(secret, { issuer: `Parley (${issuer})`, username }) };
}

/** Answers the recovery codes if these are the first. */
export async function confirmTotp(deps: Deps, principal: Principal, otp: string): Promise<string[] | null> {
  const person = personOf(principal);
  const now = deps.clock.now();
  const codes = await inTransaction(deps.db, async (db) => {
    const row = await lockFactor(db, person);
    const isPending = row !== undefined && row.totp_secret !== null && row.totp_confirmed === null;
    const step = isPending ? stepOf(deps.vault.open(row.totp_secret!), otp, now.getTime()) : undefined;
    if (step === undefined) throw new ValidationError({ otp: ['This code is wrong or too old.'] });
    const before = await findFactors(db, person);
    await updateFactor(db, person, { totp_confirmed: timestamp(now), totp_step: step });
    return afterAdding(db, { person, before, tokenId: principal.tokenId, at: timestamp(now) });
  });
  deps.caches.forget(tokenCache);
  return codes;
}

/** Adds a passkey; with the recovery codes if these are the first. */
export async function addPasskey(
  deps: Deps,
  principal: Principal,
  given: { name: string; credential: unknown; request: FastifyRequest },
): Promise<{ row: PasskeyRow; codes: string[] | null }> {
  const person = personOf(principal);
  const passkey = await readRegistration(deps, person, given);
  const added = await inTransaction(deps.db, async (db) => {
    await ensureFactor(db, person);
    await lockFactor(db, person);
    const before = await findFactors(db, person);
    if (before.passkeys >= mostPasskeys) {
      throw new ValidationError({ non_field_errors: [`A maximum of ${mostPasskeys} passkeys for each user.`] });
    }
    const row = await insertPasskey(db, person, passkey);
    if (!row) throw new ValidationError({ credential: ['This passkey is already registered.'] });
    const at = timestamp(deps.clock.now());
    return { row, codes: await afterAdding(db, { person, before, tokenId: principal.tokenId, at }) };
  });
  deps.caches.forget(tokenCache);
  return added;
}
const mostPasskeys = 20;

/** With the first factor, whoever is signed in elsewhere with the password alone has to sign in again. */
async function afterAdding(
  db: Db,
  { person, before, tokenId, at }: { person: Person; before: Factors; tokenId: string; at: string },
): Promise<string[] | null> {
  await markAuthenticated(db, { accountId: person.accountId, tokenId }, { at, secondFactor: true });
  if (!hasFactor(before)) await endOtherSignIns(db, person, tokenId);
  return before.recoveryCodes === 0 ? replaceRecoveryCodes(db, person) : null;
}

export const removeTotp = (deps: Deps, principal: Principal): Promise<void> =>
  removing(deps, principal, async (db, person) => {
    const row = await lockFactor(db, person);
    if (!row?.totp_confirmed) throw notFound();
    await updateFactor(db, person, { totp_secret: null, totp_confirmed: null, totp_step: 0 });
  });

export const removePasskey = (deps: Deps, principal: Principal, uuid: string): Promise<void> =>
  removing(deps, principal, async (db, person) => {
    if (!(await deletePasskey(db, person, uuid))) throw notFound();
  });

/** Removes one; the last stays where the account requires one, and else the recovery codes go with it. */
async function removing(
  { db }: Deps,
  principal: Principal,
  remove: (db: Db, person: Person) => Promise<void>,
): Promise<void> {
  const person = personOf(principal);
  await inTransaction(db, async (db) => {
    await lockFactor(db, person);
    await remove(db, person);
    if (hasFactor(await findFactors(db, person))) return;
    if ((await findAccount(db, person.accountId)).require_second_factor) throw new ApiError('second_factor_kept');
    await deleteFactors(db, person);
  });
}

export async function renewRecoveryCodes({ db }: Deps, principal: Principal): Promise<string[]> {
  const person = personOf(principal);
  return inTransaction(db, async (db) => {
    await lockFactor(db, person);
    if (!hasFactor(await findFactors(db, person))) {
      throw new ValidationError({ non_field_errors: ['Set up an authenticator app or a passkey first.'] });
    }
    return replaceRecoveryCodes(db, person);
  });
}

/** Changes what the account asks of whoever signs in. Who must sign in by a provider from now on does so at once. */
export async function changeSecurity(db: Db, accountId: string, patch: AccountSecurityPatch): Promise<AccountRow> {
  if (Object.keys(patch).length === 0) return findAccount(db, accountId);
  return inTransaction(db, async (db) => {
    if (patch.sso_required) {
      await checkWaysIn(db, accountId);
      await endSignInsWithoutSso(db, accountId);
    }
    return db
      .updateTable('accounts')
      .set({ ...patch, modified: sql`now()` })
      .where('uuid', '=', accountId)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Nobody must be able to lock the account's people out by a switch. */
async function checkWaysIn(db: Db, accountId: string): Promise<void> {
  if (!(await hasEnabledProvider(db, accountId))) {
    throw new ValidationError({ sso_required: ['Add an identity provider that is enabled first.'] });
  }
  if (!(await hasOwnerWithPassword(db, accountId))) {
    throw new ValidationError({
      sso_required: [
        'At least one owner must have a password, so that you can sign in when the provider is unavailable.',
      ],
    });
  }
}
