import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../src/platform/db/connect/pool.ts';
import { findTenantTables } from '../../src/platform/db/tenant-tables.ts';

/** Rows that the schema alone cannot tell how to make, because columns depend on each other. */
const peculiar: Record<string, Record<string, unknown>> = {
  links: { kind: 'INTRO', chat_intro: randomUUID() },
  media: { kind: 'INBOUND' },
  webhook_endpoints: { secret: 'sealed' },
};

interface Column {
  name: string;
  type: string;
  choices: string | null;
}

/** Gives an account one row in every table that has rows of accounts; answers the tables. */
export async function fillEveryTable(db: Db, accountId: string): Promise<string[]> {
  const tables = await findTenantTables(db);
  await db.transaction().execute(async (db) => {
    // What rows refer to need not be there; a sweep of the tables does not mind.
    await sql`set local session_replication_role = replica`.execute(db);
    for (const table of tables) {
      const columns = await neededColumns(db, table);
      const row = new Map<string, RawBuilder<unknown>>(columns.map((column) => [column.name, anyValue(column)]));
      for (const [name, value] of Object.entries(peculiar[table] ?? {})) row.set(name, sql`${value}`);
      row.set('account_id', sql`${accountId}::uuid`);
      const names = [...row.keys()].map((name) => sql.ref(name));
      await sql`insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join([...row.values()])})
        on conflict do nothing`.execute(db);
    }
  });
  return tables;
}

/** How many rows an account has in each table. */
export async function countRows(db: Db, accountId: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const table of await findTenantTables(db)) {
    const { rows } = await sql<{ count: number }>`
      select count(*) from ${sql.table(table)} where account_id = ${accountId}`.execute(db);
    counts.set(table, rows[0]!.count);
  }
  return counts;
}

/** Columns that have to be given, with the choices that a check leaves them. */
async function neededColumns(db: Db, table: string): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select attname as name, format_type(atttypid, null) as type, (
        select substring(pg_get_constraintdef(oid) from 'ARRAY\\[''([^'']*)''') from pg_constraint
        where conrelid = attrelid and contype = 'c' and conkey = array[attnum] limit 1) as choices
    from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attnotnull
      and not atthasdef and attgenerated = '' and attname <> 'account_id'
    order by attnum`.execute(db);
  return rows;
}

function anyValue({ type, choices }: Column): RawBuilder<unknown> {
  if (choices !== null) return sql`${choices}`;
  if (type.endsWith('[]')) return sql`'{}'`;
  switch (type) {
    case 'uuid':
      return sql`(left(uuid_floor(now())::text, 13) || substr(gen_random_uuid()::text, 14))::uuid`;
    case 'text':
      return sql`${randomUUID()}`;
    case 'json':
    case 'jsonb':
      return sql`'{}'`;
    case 'boolean':
      return sql`false`;
    case 'bit':
      return sql`repeat('0', 1000)::bit(1000)`;
    case 'bytea':
      return sql`gen_random_uuid()::text::bytea`;
    case 'date':
    case 'timestamp with time zone':
      return sql`now()`;
    default:
      return sql`0`;
  }
}
