import { type Selectable, sql } from 'kysely';
import { uuidArray } from '../../../platform/db/arrays.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../../platform/db/page.ts';
import type { Users } from '../../../platform/db/types.ts';
import { newId } from '../../../platform/ids.ts';

export type UserRow = Selectable<Users>;
export type NewUser = Pick<UserRow, 'username' | 'password_hash' | 'scopes'> &
  Partial<Pick<UserRow, 'role' | 'full_name' | 'has_password' | 'must_change_password'>>;

/** Who has a name; people sign in without saying of which account they are. */
export const findUserAnyAccount = (db: Db, username: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where(sql`lower(username)`, '=', username.toLowerCase()).executeTakeFirst();

export const listUsers = (db: Db, accountId: string, query: PageQuery) =>
  keysetPage(db, db.selectFrom('users').selectAll().where('account_id', '=', accountId), query);

export const findUser = (db: Db, accountId: string, uuid: string): Promise<UserRow | undefined> =>
  userOf(db, accountId, uuid).executeTakeFirst();

/** The same, and nobody changes it or signs in until the transaction is over. */
export const lockUser = (db: Db, accountId: string, uuid: string): Promise<UserRow | undefined> =>
  userOf(db, accountId, uuid).forUpdate().executeTakeFirst();

/** Keeps a user from being changed or deleted until the transaction is over; false: there is none any more. */
export const keepUser = async (db: Db, accountId: string, uuid: string): Promise<boolean> =>
  (await userOf(db, accountId, uuid).forKeyShare().executeTakeFirst()) !== undefined;

const userOf = (db: Db, accountId: string, uuid: string) =>
  db.selectFrom('users').selectAll().where('account_id', '=', accountId).where('uuid', '=', uuid);

/** undefined: somebody has the name already, here or in another account. */
export const insertUser = (db: Db, accountId: string, user: NewUser): Promise<UserRow | undefined> =>
  db
    .insertInto('users')
    .values({ account_id: accountId, uuid: newId(), ...user })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

export const updateUser = (db: Db, accountId: string, uuid: string, change: Partial<NewUser>): Promise<UserRow> =>
  db
    .updateTable('users')
    // A change of nothing is one of the key to itself: SQL has no empty SET.
    .set({ uuid, ...(change.password_hash && { has_password: true }), ...change })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow();

/** The user, if the password that was checked is still theirs; with another hash of it from now on, if one is given. */
export const markSignIn = (
  db: Db,
  { account_id, uuid, password_hash }: UserRow,
  renewed: string = password_hash,
): Promise<UserRow | undefined> =>
  db
    .updateTable('users')
    .set({ last_sign_in: sql`now()`, password_hash: renewed })
    .where('account_id', '=', account_id)
    .where('uuid', '=', uuid)
    .where('password_hash', '=', password_hash)
    .returningAll()
    .executeTakeFirst();

/** Somebody signed in without a password. undefined: there is no such user any more. */
export const noteSignIn = (
  db: Db,
  { accountId, uuid, at }: { accountId: string; uuid: string; at: string },
): Promise<UserRow | undefined> =>
  db
    .updateTable('users')
    .set({ last_sign_in: at })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirst();

/** Deletes a user, and with it the sessions and tokens that came from signing in, and those that they made. */
export const deleteUserRow = (db: Db, accountId: string, uuid: string) =>
  db.deleteFrom('users').where('account_id', '=', accountId).where('uuid', '=', uuid).execute();

/** Ends what somebody was given for signing in, and what was made with it. */
export const deleteSignInsOfUser = (db: Db, accountId: string, userUuid: string) =>
  db.deleteFrom('tokens').where('account_id', '=', accountId).where('user_uuid', '=', userUuid).execute();

/** The tokens that somebody made. */
export const listTokensMadeBy = (db: Db, accountId: string, userUuid: string) =>
  db
    .selectFrom('tokens')
    .select(['uuid', 'scopes'])
    .where('account_id', '=', accountId)
    .where('creator', '=', userUuid)
    .execute();

export const deleteTokens = (db: Db, accountId: string, uuids: string[]) =>
  db
    .deleteFrom('tokens')
    .where('account_id', '=', accountId)
    .where('uuid', '=', sql<string>`any(${uuidArray(uuids)}::uuid[])`)
    .execute();

/** Whether the account has anybody else; two who delete at once take turns. */
export async function hasOtherUsers(db: Db, accountId: string, uuid: string): Promise<boolean> {
  await db.selectFrom('accounts').select('uuid').where('uuid', '=', accountId).forNoKeyUpdate().execute();
  const other = await db
    .selectFrom('users')
    .select('uuid')
    .where('account_id', '=', accountId)
    .where('uuid', '!=', uuid)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}
