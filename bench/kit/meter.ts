import { setTimeout as sleep } from 'node:timers/promises';
import { readCpu } from './cpu.ts';
import type { Database } from './database.ts';
import type { Server } from './server.ts';

/** What work has cost: processor time in microseconds, and what PostgreSQL has written. */
export interface Spent {
  nodeUs: number;
  postgresUs: number;
  walBytes: number;
  /** Writes and syncs of the disk, of WAL and of tables. */
  operations: number;
  /** By which the database has grown. */
  storedBytes: number;
}

const idleMs = 5_000;
const names = ['nodeUs', 'postgresUs', 'walBytes', 'operations', 'storedBytes'] as const;

/** Measures what work costs, without what the server does at rest in that time. */
export async function makeMeter(database: Database, parley: Server) {
  const { client } = database;
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const { pid } = rows[0];

  async function read(): Promise<Spent> {
    await client.query('checkpoint');
    const { rows } = await client.query(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as "walBytes",
        pg_database_size(current_database())::float8 as "storedBytes",
        (select sum(coalesce(writes, 0) + coalesce(extends, 0) + coalesce(fsyncs, 0)) from pg_stat_io)::float8 as operations`,
    );
    const { node, postgres } = await readCpu(parley.pid, pid);
    return { ...rows[0], nodeUs: node * 1000, postgresUs: postgres * 1000 };
  }

  async function during(work: () => Promise<unknown>): Promise<{ spent: Spent; tookMs: number }> {
    const before = await read();
    const startedMs = performance.now();
    await work();
    const tookMs = performance.now() - startedMs;
    const after = await read();
    return { spent: combine((name) => after[name] - before[name]), tookMs };
  }

  const atRest = await during(() => sleep(idleMs));
  return async (count: number, work: () => Promise<unknown>): Promise<Spent & { perSecond: number }> => {
    const { spent, tookMs } = await during(work);
    const rest = tookMs / atRest.tookMs;
    const each = combine((name) => Math.max(0, spent[name] - atRest.spent[name] * rest) / count);
    return { ...each, perSecond: (count / tookMs) * 1000 };
  };
}

const combine = (of: (name: keyof Spent) => number): Spent =>
  Object.fromEntries(names.map((name) => [name, of(name)])) as unknown as Spent;
