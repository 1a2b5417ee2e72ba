import { sql } from 'kysely';
import type { Db } from './connect/pool.ts';
import { columnOf, homes } from './distribute/layout.ts';

/** Finds the tables of accounts in the schema itself, so that a new one cannot be forgotten. */

/** Every table with a column `account_id`; those that refer to others come before these. */
export async function findTenantTables(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
      and attname = 'account_id' and not attisdropped
    order by relname`.execute(db);
  const { rows: references } = await sql<{ from: string; to: string }>`
    select referring.relname as "from", referred.relname as "to"
    from pg_constraint join pg_class as referring on referring.oid = conrelid join pg_class as referred on referred.oid = confrelid
    where contype = 'f' and conparentid = 0 and conrelid <> confrelid`.execute(db);
  const ordered: string[] = [];
  const left = new Set(tables.map(({ name }) => name));
  while (left.size > 0) {
    const isReferredTo = (name: string): boolean => references.some(({ from, to }) => to === name && left.has(from));
    const free = [...left].filter((name) => !isReferredTo(name));
    // Tables that refer to each other in a circle go in any order: their rows go together.
    for (const name of free.length > 0 ? free : left) {
      ordered.push(name);
      left.delete(name);
    }
  }
  return ordered;
}

/** Deletes rows of an account from a table, at most so many; answers how many there were. */
export async function deleteRowsOf(db: Db, accountId: string, table: string, most: number): Promise<number> {
  const { rows: partitions } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = ${table}::regclass order by relname`.execute(db);
  const parts = partitions.length > 0 ? partitions.map(({ name }) => name) : [table];
  let deleted = 0;
  for (const part of parts) {
    if (deleted >= most) break;
    // Deletes by the physical place of a row, which is unique within a partition, because not every table has a key of one column.
    // In a table that is spread by another column than the account, places are unique only within a shard, so its own column is
    // used.
    const place = sql.ref(homes.get(table) === 'shortcode' ? columnOf('shortcode') : 'ctid');
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(part)} where account_id = ${accountId} and ${place} = any (array(
        select ${place} from ${sql.table(part)} where account_id = ${accountId} limit ${most - deleted}))`.execute(db);
    deleted += Number(numAffectedRows);
  }
  return deleted;
}
