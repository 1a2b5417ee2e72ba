import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
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
