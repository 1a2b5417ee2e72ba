import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { perAccount } from '../../../platform/db/distribute/layout.ts';
import { keysetPage, type PageQuery } from '../../../platform/db/page.ts';
import type { Lists } from '../../../platform/db/types.ts';
import { newId } from '../../../platform/ids.ts';
import { isSought, type Sought, type SoughtIn } from '../../directory/index.ts';

export type ListRow = Pick<Selectable<Lists>, 'uuid' | 'name' | 'description' | 'created' | 'modified'>;

const columns = ['uuid', 'name', 'description', 'created', 'modified'] as const;

const listsOf = (db: Db, accountId: string) =>
  db.selectFrom('lists').select(columns).where('account_id', '=', accountId).where('deleted_at', 'is', null);

export const findList = (db: Db, accountId: string, uuid: string): Promise<ListRow | undefined> =>
  listsOf(db, accountId).where('uuid', '=', uuid).executeTakeFirst();

/** Those of these lists that there are. */
export const findLists = (db: Db, accountId: string, uuids: string[]): Promise<ListRow[]> =>
  listsOf(db, accountId).where('uuid', '=', sql<string>`any(${uuids}::uuid[])`).execute();

export interface ListFilters extends Omit<PageQuery, 'ordering'> {
  ordering: string;
  name?: string;
  sought?: Sought | undefined;
}

const soughtIn: SoughtIn = {
  ids: ['uuid'],
  indexed: { account: 'account_id', text: sql`name || ' ' || description` },
};

export function listLists(db: Db, accountId: string, filters: ListFilters) {
  let rows = listsOf(db, accountId);
  if (filters.sought) rows = rows.where(isSought(filters.sought, soughtIn));
  if (filters.name) rows = rows.where(sql<boolean>`lower(name) = lower(${filters.name})`);
  return keysetPage(db, rows, filters, {
    uuid: 'uuid',
    created: 'created',
    orderings: { name: sql`lower(name)` },
  });
}

/** Undefined when a list has that name. */
export const insertList = (
  db: Db,
  accountId: string,
  fields: { name: string; description: string },
): Promise<ListRow | undefined> =>
  db
    .insertInto('lists')
    .values({ account_id: accountId, uuid: newId(), ...fields })
    .onConflict((conflict) =>
      conflict.expression(sql`account_id, lower(name)`).where('deleted_at', 'is', null).doNothing(),
    )
    .returning(columns)
    .executeTakeFirst();

/** Undefined when there is no such list. */
export const updateList = (
  db: Db,
  accountId: string,
  uuid: string,
  fields: { name?: string; description?: string },
): Promise<ListRow | undefined> =>
  db
    .updateTable('lists')
    .set({ ...fields, modified: sql`now()` })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .where('deleted_at', 'is', null)
    .returning(columns)
    .executeTakeFirst();

export async function markDeleted(db: Db, accountId: string, uuid: string): Promise<boolean> {
  const row = await db
    .updateTable('lists')
    .set({ deleted_at: sql`now()`, modified: sql`now()` })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .where('deleted_at', 'is', null)
    .returning('uuid')
    .executeTakeFirst();
  return row !== undefined;
}

/** How many are on a list. */
export const membersTally = 'members';

/** So many joined a list, or left it. */
export interface ListStep {
  list: string;
  count: number;
}

/** A membership that has ended is kept for this many days, for campaigns that began before it ended. */
const keptDays = 90;
const purgedAtOnce = 10_000;

/**
 * Puts contacts on lists. Who is on the list already does not count; who once left it is back, with the time of the first joining.
 */
export async function addToLists(db: Db, accountId: string, lists: string[], contacts: string[]): Promise<ListStep[]> {
  if (lists.length === 0 || contacts.length === 0) return [];
  const { rows } = await sql<ListStep>`
    with joined as (
      insert into list_members (account_id, list, contact)
      select distinct ${accountId}::uuid, list, contact
      from unnest(${lists}::uuid[]) as list, unnest(${contacts}::uuid[]) as contact
      -- Always in the same order, so that two callers wait for each other one way only.
      order by list, contact
      on conflict (account_id, list, contact) do update set removed_at = null where list_members.removed_at is not null
      returning list
    )
    select list, count(*) from joined group by list`.execute(db);
  return rows;
}

const present = (accountId: string) => sql`account_id = ${accountId} and removed_at is null`;

/** Ends the memberships that a condition chooses, and no others that ended meanwhile. */
async function end(db: Db, chosen: ReturnType<typeof present>): Promise<ListStep[]> {
  const { rows } = await sql<ListStep>`
    with chosen as materialized (
      select account_id, list, contact from list_members where ${chosen} order by list, contact for update
    ), ended as (
      update list_members set removed_at = now() from chosen
      where list_members.account_id = chosen.account_id and list_members.list = chosen.list
        and list_members.contact = chosen.contact and list_members.removed_at is null
      returning list_members.list
    )
    select list, count(*) from ended group by list`.execute(db);
  return rows;
}

export const removeFromLists = (db: Db, accountId: string, lists: string[], contacts: string[]): Promise<ListStep[]> =>
  lists.length === 0 || contacts.length === 0
    ? Promise.resolve([])
    : end(db, sql`${present(accountId)} and list = any(${lists}::uuid[]) and contact = any(${contacts}::uuid[])`);

export const removeFromAllLists = (db: Db, accountId: string, contacts: string[]): Promise<ListStep[]> =>
  end(db, sql`${present(accountId)} and contact = any(${contacts}::uuid[])`);

export const removeAll = (db: Db, accountId: string, list: string): Promise<ListStep[]> =>
  end(db, sql`${present(accountId)} and list = ${list}`);

/** Forgets memberships that ended, or whose list was deleted, long ago. A part at a time: no transaction is a long one. */
export async function purgeMembershipsAnyAccount(db: Db): Promise<void> {
  const past = sql`now() - make_interval(days => ${keptDays})`;
  for (;;) {
    const ended = await perAccount(
      db,
      sql`select account_id from list_members where removed_at < ${past}`,
      async (ofAccount) => {
        const { numAffectedRows = 0n } = await sql`
        delete from list_members where ${ofAccount('account_id')} and ctid = any (array(
          select ctid from list_members where removed_at < ${past} and ${ofAccount('account_id')}
          limit ${purgedAtOnce}))`.execute(db);
        return [numAffectedRows];
      },
    );
    const orphans = sql`lists join list_members
      on list_members.account_id = lists.account_id and list_members.list = lists.uuid where lists.deleted_at < ${past}`;
    const orphaned = await perAccount(db, sql`select lists.account_id from ${orphans}`, async (ofAccount) => {
      const { numAffectedRows = 0n } = await sql`
        delete from list_members where ${ofAccount('account_id')} and ctid = any (array(
          select list_members.ctid from ${orphans} and ${ofAccount('lists.account_id')} limit ${purgedAtOnce}))`.execute(
        db,
      );
      return [numAffectedRows];
    });
    if ([...ended, ...orphaned].every((count) => count < purgedAtOnce)) return;
  }
}
