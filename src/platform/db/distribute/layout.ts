import { sql } from 'kysely';
import type { Db } from '../connect/pool.ts';
import { homes } from './homes.ts';

/**
 * Whether the tables of this process's database are spread over shards. A few statements have another text then: Citus runs no recursive
 * statement, and locks no rows, over several shards at once.
 */
let distributed = false;

export const isDistributed = (): boolean => distributed;

/** Looks once, at the start. A distributed database that lacks some tables (a migration added them) has them on the coordinator. */
export async function readLayout(db: Db): Promise<void> {
  const { rows: extension } = await sql`select from pg_extension where extname = 'citus'`.execute(db);
  if (extension.length === 0) {
    distributed = false;
    return;
  }
  const spread = [...homes].filter(([, home]) => home === 'account').map(([name]) => name);
  const { rows } = await sql`
    select from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
    where relname = any (${spread}::text[]) and partmethod = 'h' limit 1`.execute(db);
  distributed = rows.length > 0;
}
