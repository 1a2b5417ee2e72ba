import { sql } from 'kysely';
import type { Db } from '../../src/platform/db/pool.ts';

/** A failed sign-in is written down on purpose, in both. */
const notCounted = ['login_failures', 'audit_log'];

/**
 * A look at all rows of the product, equal to an earlier one as long as nothing was inserted, updated or deleted: how many
 * there are in each table, and the newest transaction that wrote one.
 */
export async function rowWatch(db: Db): Promise<() => Promise<Record<string, string>>> {
  const tables = await sql<{ name: string }>`
    select oid::regclass::text as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace order by name`.execute(db);
  const names = tables.rows.map(({ name }) => name).filter((name) => !notCounted.includes(name));
  const looks = names.map((name) =>
    name === 'tokens'
      ? // When a token was used is noted a moment later, whatever the request was.
        sql`select ${name} as name,
          md5(string_agg((to_jsonb(tokens) - 'last_used' - 'last_used_address')::text, ' ' order by uuid)) as state from tokens`
      : sql`select ${name} as name, count(*) || ' rows, newest ' || coalesce(max(xmin::text::bigint), 0) as state
          from ${sql.table(name)}`,
  );
  const all = sql<{ name: string; state: string }>`${sql.join(looks, sql` union all `)}`;
  return async () => Object.fromEntries((await all.execute(db)).rows.map(({ name, state }) => [name, state]));
}
