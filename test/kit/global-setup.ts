import { existsSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { migrate } from '../../src/platform/db/migrate.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/postgres/index.ts';
import { templateDatabase, testPostgresVariable } from './database.ts';

/** Lost at a power cut, and several times faster. What is committed outlives a server that breaks down, as it does elsewhere. */
const throwAway = { fsync: 'off', full_page_writes: 'off', max_connections: '200', max_wal_size: '256MB' };

const running: { postgres?: EmbeddedPostgres } = {};

/** Once per test run: a PostgreSQL with a migrated template, which every test file clones. */
export async function globalSetup(): Promise<void> {
  // While the tests run, the test runner answers an interruption with the teardown; until then we do.
  const interrupt = () => process.exit(130);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
  // Each file is a process that reads the program anew: compiled once, that takes half the time.
  process.env['NODE_COMPILE_CACHE'] ??= path.join(import.meta.dirname, '../../node_modules/.cache/parley-tests');
  process.env[testPostgresVariable] = JSON.stringify(await start());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
}

/** Runs after the tests, also when they failed or were interrupted. */
export async function globalTeardown(): Promise<void> {
  await running.postgres?.stop();
}

async function start() {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-test-'));
  process.once('exit', () => removeWhenStopped(directory));
  running.postgres = await startEmbeddedPostgres({ directory, progress: () => {}, settings: throwAway });
  const { connection } = running.postgres;
  const admin = new pg.Client(connection);
  await admin.connect();
  try {
    await admin.query(`create database ${templateDatabase}`);
    await migrate({ ...connection, database: templateDatabase }, { progress: () => {} });
    await noteLongLife({ ...connection, database: templateDatabase });
    // A template that somebody is connected to cannot be cloned.
    await admin.query(`alter database ${templateDatabase} with is_template true allow_connections false`);
  } finally {
    await admin.end();
  }
  return connection;
}

/** As if the server had been there for long: who is dead is taken for dead at once. */
async function noteLongLife(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client
    .query(`insert into database_lives
      values (left(pg_walfile_name(pg_current_wal_lsn()), 8), pg_postmaster_start_time(), now() - interval '1 day')`)
    .finally(() => client.end());
}

/** After an interruption PostgreSQL is still tidying up, and an exiting process can wait only like this. */
function removeWhenStopped(directory: string): void {
  const lockFile = path.join(directory, 'pgdata', 'postmaster.pid');
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; existsSync(directory) && tries < 100; tries++) {
    if (tries > 0) Atomics.wait(pause, 0, 0, 20);
    if (!existsSync(lockFile)) rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
