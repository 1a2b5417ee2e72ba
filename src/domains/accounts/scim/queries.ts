import { type Selectable, sql } from 'kysely';
import { uuidArray } from '../../../platform/db/arrays.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import type { ScimGroups } from '../../../platform/db/types.ts';
import type { UserRow } from '../users/queries.ts';
import type { Filter, Window } from './protocol.ts';

export type GroupRow = Selectable<ScimGroups>;
export interface Member {
  group_uuid: string;
  user_uuid: string;
  username: string;
  display_name: string;
}

/** What a filter asks for, of columns that have an index. */
const userFilters: Record<string, (value: string) => ReturnType<typeof sql<boolean>>> = {
  username: (value) => sql<boolean>`lower(username) = ${value.toLowerCase()}`,
  'emails.value': (value) => sql<boolean>`lower(username) = ${value.toLowerCase()}`,
  'emails[type eq "work"].value': (value) => sql<boolean>`lower(username) = ${value.toLowerCase()}`,
  externalid: (value) => sql<boolean>`external_id = ${value}`,
  displayname: (value) => sql<boolean>`lower(full_name) = ${value.toLowerCase()}`,
  id: (value) => sql<boolean>`uuid::text = ${value.toLowerCase()}`,
};
export const userAttributes = Object.keys(userFilters);

const groupFilters: typeof userFilters = {
  displayname: (value) => sql<boolean>`lower(display_name) = ${value.toLowerCase()}`,
  externalid: (value) => sql<boolean>`external_id = ${value}`,
  id: (value) => sql<boolean>`uuid::text = ${value.toLowerCase()}`,
};
export const groupAttributes = Object.keys(groupFilters);

const where = (filters: typeof userFilters, filter: Filter | undefined) =>
  filter ? filters[filter.attribute]!(filter.value) : sql<boolean>`true`;

export async function listUsersWindow(db: Db, accountId: string, { startIndex, count, filter }: Window) {
  const all = db.selectFrom('users').where('account_id', '=', accountId).where(where(userFilters, filter));
  const { total } = await all.select(sql<number>`count(*)::integer`.as('total')).executeTakeFirstOrThrow();
  const rows = await all
    .selectAll()
    .orderBy('uuid')
    .offset(startIndex - 1)
    .limit(count)
    .execute();
  return { total, rows };
}

export async function listGroupsWindow(db: Db, accountId: string, { startIndex, count, filter }: Window) {
  const all = db.selectFrom('scim_groups').where('account_id', '=', accountId).where(where(groupFilters, filter));
  const { total } = await all.select(sql<number>`count(*)::integer`.as('total')).executeTakeFirstOrThrow();
  const rows = await all
    .selectAll()
    .orderBy('uuid')
    .offset(startIndex - 1)
    .limit(count)
    .execute();
  return { total, rows };
}

export const updateScimUser = (
  db: Db,
  { account_id, uuid }: UserRow,
  change: { username: string; full_name: string; external_id: string | null; scim: string; deactivated: string | null },
): Promise<UserRow> =>
  db
    .updateTable('users')
    .set(change)
    .where('account_id', '=', account_id)
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow();

const groupOf = (db: Db, accountId: string, uuid: string) =>
  db.selectFrom('scim_groups').selectAll().where('account_id', '=', accountId).where('uuid', '=', uuid);
export const findGroup = (db: Db, accountId: string, uuid: string): Promise<GroupRow | undefined> =>
  groupOf(db, accountId, uuid).executeTakeFirst();
/** The same, and nobody changes it until the transaction is over. */
export const lockGroup = (db: Db, accountId: string, uuid: string): Promise<GroupRow | undefined> =>
  groupOf(db, accountId, uuid).forUpdate().executeTakeFirst();

/** undefined: there is one of that name. */
export const insertGroup = (
  db: Db,
  accountId: string,
  group: Pick<GroupRow, 'uuid' | 'display_name' | 'external_id'>,
): Promise<GroupRow | undefined> =>
  db
    .insertInto('scim_groups')
    .values({ account_id: accountId, ...group })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

export const updateGroup = (
  db: Db,
  { account_id, uuid }: GroupRow,
  change: Pick<GroupRow, 'display_name' | 'external_id' | 'modified'>,
): Promise<GroupRow> =>
  db
    .updateTable('scim_groups')
    .set(change)
    .where('account_id', '=', account_id)
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow();

export const deleteGroupRow = (db: Db, { account_id, uuid }: GroupRow) =>
  db.deleteFrom('scim_groups').where('account_id', '=', account_id).where('uuid', '=', uuid).execute();

const members = (db: Db, accountId: string) =>
  db
    .selectFrom('scim_members')
    .innerJoin('users', (join) =>
      join.onRef('users.account_id', '=', 'scim_members.account_id').onRef('users.uuid', '=', 'scim_members.user_uuid'),
    )
    .innerJoin('scim_groups', (join) =>
      join
        .onRef('scim_groups.account_id', '=', 'scim_members.account_id')
        .onRef('scim_groups.uuid', '=', 'scim_members.group_uuid'),
    )
    .select(['scim_members.group_uuid', 'scim_members.user_uuid', 'users.username', 'scim_groups.display_name'])
    .where('scim_members.account_id', '=', accountId);

export const listMembersOfGroups = (db: Db, accountId: string, groups: string[]): Promise<Member[]> =>
  members(db, accountId)
    .where('scim_members.group_uuid', '=', sql<string>`any(${uuidArray(groups)}::uuid[])`)
    .orderBy('users.uuid')
    .execute();

export const listGroupsOfUsers = (db: Db, accountId: string, users: string[]): Promise<Member[]> =>
  members(db, accountId)
    .where('scim_members.user_uuid', '=', sql<string>`any(${uuidArray(users)}::uuid[])`)
    .orderBy('scim_groups.uuid')
    .execute();

/** Those of the users that are the account's. */
export const listKnownUsers = async (db: Db, accountId: string, uuids: string[]): Promise<string[]> =>
  (
    await db
      .selectFrom('users')
      .select('uuid')
      .where('account_id', '=', accountId)
      .where('uuid', '=', sql<string>`any(${uuidArray(uuids)}::uuid[])`)
      .execute()
  ).map(({ uuid }) => uuid);

export async function setMembers(
  db: Db,
  { account_id, uuid }: GroupRow,
  { added, gone }: { added: string[]; gone: string[] },
) {
  if (gone.length > 0) {
    await db
      .deleteFrom('scim_members')
      .where('account_id', '=', account_id)
      .where('group_uuid', '=', uuid)
      .where('user_uuid', '=', sql<string>`any(${uuidArray(gone)}::uuid[])`)
      .execute();
  }
  if (added.length === 0) return;
  await db
    .insertInto('scim_members')
    .values(added.map((user_uuid) => ({ account_id, group_uuid: uuid, user_uuid })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
