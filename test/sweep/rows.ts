import { sql } from 'kysely';
import type { Db } from '../../src/platform/db/connect/pool.ts';

/** A failed sign-in is written down on purpose, in the first two; every request counts, in the third. */
const notWatched = ['login_failures', 'audit_log', 'request_allowances'];
/** When a token was used is noted a moment later, whatever the request was. */
const notWatchedOfTokens = ['last_used', 'last_used_address'];

const watched = new WeakMap<Db, Promise<unknown>>();

/**
 * A look at all tables of the product, equal to an earlier one as long as nothing was inserted, updated or deleted: how many
 * rows were written in each, which triggers count. What was rolled back does not count.
 */
export async function rowWatch(db: Db): Promise<() => Promise<Record<string, number>>> {
  if (!watched.has(db)) watched.set(db, watch(db));
  await watched.get(db);
  return async () => {
    const { rows } = await sql<{ name: string; count: number }>`
      select name, count(*) from row_writes group by name order by name`.execute(db);
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  };
}

async function watch(db: Db): Promise<void> {
  const { rows: tables } = await sql<{ name: string; columns: string[] }>`
    select oid::regclass::text as name, array(
      select quote_ident(attname) from pg_attribute where attrelid = pg_class.oid and attnum > 0 and not attisdropped) as columns
    from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`.execute(db);
  await sql`create unlogged table row_writes (name text)`.execute(db);
  await sql`
    create function note_row_write() returns trigger language plpgsql as $$
    begin
      insert into row_writes values (tg_relid::regclass::text);
      return null;
    end $$`.execute(db);
  for (const { name, columns } of tables.filter((table) => !notWatched.includes(table.name))) {
    const update =
      name === 'tokens'
        ? `update of ${columns.filter((one) => !notWatchedOfTokens.includes(one)).join(', ')}`
        : 'update';
    await sql
      .raw(
        `create trigger row_writes after insert or ${update} or delete on ${name} for each row execute function note_row_write()`,
      )
      .execute(db);
  }
}
