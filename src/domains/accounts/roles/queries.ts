import { type Selectable, sql } from 'kysely';
import { uuidArray } from '../../../platform/db/arrays.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import type { Roles } from '../../../platform/db/types.ts';
import { newId } from '../../../platform/ids.ts';

export type RoleRow = Selectable<Roles>;
export type NewRole = Pick<RoleRow, 'name' | 'description' | 'scopes'>;

/** An account's own roles; there are few. */
export const listOwnRoles = (db: Db, accountId: string): Promise<RoleRow[]> =>
  db.selectFrom('roles').selectAll().where('account_id', '=', accountId).orderBy('uuid').execute();

/** The same, and nobody changes or deletes one until the transaction is over. */
export const keepOwnRoles = (db: Db, accountId: string): Promise<RoleRow[]> =>
  db.selectFrom('roles').selectAll().where('account_id', '=', accountId).orderBy('uuid').forShare().execute();

/** By uuid or by name, in any case. */
const roleOf = (db: Db, accountId: string, key: string) => {
  const rows = db.selectFrom('roles').selectAll().where('account_id', '=', accountId);
  return isUuid.test(key) ? rows.where('uuid', '=', key) : rows.where(sql`lower(name)`, '=', sql`lower(${key}::text)`);
};
export const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const findOwnRole = (db: Db, accountId: string, key: string): Promise<RoleRow | undefined> =>
  roleOf(db, accountId, key).executeTakeFirst();

/** The same, and nobody changes it or gives it to somebody until the transaction is over. */
export const lockOwnRole = (db: Db, accountId: string, key: string): Promise<RoleRow | undefined> =>
  roleOf(db, accountId, key).forUpdate().executeTakeFirst();

/** The same, and nobody changes or deletes it until the transaction is over. */
export const keepOwnRole = (db: Db, accountId: string, key: string): Promise<RoleRow | undefined> =>
  roleOf(db, accountId, key).forShare().executeTakeFirst();

/** undefined: there is one of that name. */
export const insertRole = (db: Db, accountId: string, role: NewRole): Promise<RoleRow | undefined> =>
  db
    .insertInto('roles')
    .values({ account_id: accountId, uuid: newId(), ...role })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

export const updateRole = (
  db: Db,
  { account_id, uuid }: RoleRow,
  change: Partial<NewRole>,
  modified: string,
): Promise<RoleRow> =>
  db
    .updateTable('roles')
    .set({ ...change, modified })
    .where('account_id', '=', account_id)
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow();

export const deleteRoleRow = (db: Db, { account_id, uuid }: RoleRow) =>
  db.deleteFrom('roles').where('account_id', '=', account_id).where('uuid', '=', uuid).execute();

/** How many users each role has. */
export async function countUsersByRole(db: Db, accountId: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('users')
    .select(['role', sql<number>`count(*)::integer`.as('count')])
    .where('account_id', '=', accountId)
    .where('role', 'is not', null)
    .groupBy('role')
    .execute();
  return new Map(rows.map(({ role, count }) => [role!, count]));
}

/** Who has a role, locked until the transaction ends. */
export const lockUsersOfRole = (db: Db, accountId: string, role: string) =>
  db
    .selectFrom('users')
    .select(['uuid', 'scopes'])
    .where('account_id', '=', accountId)
    .where('role', '=', role)
    .orderBy('uuid')
    .forUpdate()
    .execute();

export const renameRoleOfUsers = (db: Db, accountId: string, role: string, name: string) =>
  db.updateTable('users').set({ role: name }).where('account_id', '=', accountId).where('role', '=', role).execute();

/** Gives users, and what they are signed in with, other scopes. What had not all of the old ones is ended. */
export async function setScopesOfUsers(db: Db, accountId: string, users: string[], from: string[], to: string[]) {
  const isTheirs = sql<boolean>`any(${uuidArray(users)}::uuid[])`;
  await sql`update users set scopes = ${to} where account_id = ${accountId} and uuid = ${isTheirs}`.execute(db);
  await sql`delete from tokens where account_id = ${accountId} and user_uuid = ${isTheirs} and scopes <> ${from}`.execute(
    db,
  );
  await sql`update tokens set scopes = ${to} where account_id = ${accountId} and user_uuid = ${isTheirs}`.execute(db);
}

/** The tokens that these users made. */
export const listTokensMadeByUsers = (db: Db, accountId: string, users: string[]) =>
  db
    .selectFrom('tokens')
    .select(['uuid', 'scopes'])
    .where('account_id', '=', accountId)
    .where('creator', '=', sql<string>`any(${uuidArray(users)}::uuid[])`)
    .execute();
