import type { Selectable } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import type { Passkeys } from '../../../platform/db/types.ts';
import { newId } from '../../../platform/ids.ts';
import type { Person } from './queries.ts';

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
