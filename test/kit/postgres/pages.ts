import pg from 'pg';
import { type Db, makeDb, makePool } from '../../../src/platform/db/connect/pool.ts';
import type { TestApp } from '../app.ts';

/** The pages that the statements of a look read. Nothing waits, so that they can be run twice. */
export async function countPages(app: TestApp, look: (db: Db) => Promise<unknown>): Promise<number> {
  let pages = 0;
  const pool = makePool(app.connection, app.deps.log, { size: 1, isBackground: true });
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (statement: string, values?: unknown[]) => Promise<pg.QueryResult>;
    const counted = async (statement: string, values: unknown[] = []): Promise<pg.QueryResult> => {
      if (!/^(begin|commit|rollback)/.test(statement)) {
        // Planned as it is when it was run several times.
        await query('set plan_cache_mode = force_generic_plan');
        await query(`prepare look as ${statement}`);
        const given = values.length > 0 ? `(${values.map(literalOf).join(', ')})` : '';
        const { rows } = await query(`explain (analyze, buffers, format json) execute look${given}`);
        await query('deallocate look');
        const { Plan: plan } = rows[0]['QUERY PLAN'][0];
        pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] + plan['Temp Written Blocks'];
      }
      return query(statement, values);
    };
    Object.assign(client, { query: counted });
  });
  const db = makeDb(pool);
  await look(db).finally(() => db.destroy());
  return pages;
}

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((one) => `"${one}"`).join(',')}}`);
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}
