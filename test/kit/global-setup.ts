import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { distribute } from '../../src/platform/db/distribute/distribute.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import {
  type EmbeddedPostgres,
  type PostgresConnection,
  startEmbeddedPostgres,
} from '../../src/platform/postgres/index.ts';
import { citusUrl, filledTemplateVariable, type TestServer, testPostgresVariable } from './database.ts';

/** Lost at a power cut, and several times faster. What is committed outlives a server that breaks down, as it does elsewhere. */
const throwAway = { fsync: 'off', full_page_writes: 'off', max_connections: '200', max_wal_size: '256MB' };

const running: { postgres?: EmbeddedPostgres; removeTemplate?(): Promise<void> } = {};

/**
 * Once per test run: a PostgreSQL with a migrated template, which every test file clones. With CITUS_URL it is that server, and the
 * template is distributed.
 */
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
  await running.removeTemplate?.();
  await running.postgres?.stop();
}

async function start(): Promise<TestServer> {
  const citus = citusUrl;
  // Read while PostgreSQL starts: it is most of the program.
  const filling = process.env[filledTemplateVariable] ? import('./postgres/fill-template.ts') : undefined;
  const connection = citus ? connectionOf(citus) : await startOwn();
  const template = `parley_template_${randomBytes(4).toString('hex')}`;
  const ours = { ...connection, database: template };
  const admin = new pg.Client(connection);
  await admin.connect();
  try {
    if (!citus) await makeSigningInCheap(admin, connection);
    await admin.query(`create database ${template}`);
    await migrate(ours, { progress: () => {} });
    if (citus) await distribute(ours, { progress: () => {} });
    await noteLongLife(ours);
    await (await filling)?.fillTemplate(ours);
    // A template that somebody is connected to cannot be cloned.
    await admin.query(`alter database ${template} with is_template true allow_connections false`);
    await admin.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [template]);
  } finally {
    await admin.end();
  }
  if (citus) running.removeTemplate = () => removeTemplate(connection, template);
  return { ...connection, template };
}

async function startOwn(): Promise<PostgresConnection> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-test-'));
  process.once('exit', () => removeWhenStopped(directory));
  running.postgres = await startEmbeddedPostgres({ directory, progress: () => {}, settings: throwAway });
  return running.postgres.connection;
}

/** A server with Citus, all of whose shards are its own: then a database can be copied with its shards. */
function connectionOf(url: string): PostgresConnection {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    host: hostname,
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1) || 'postgres',
  };
}

async function removeTemplate(connection: PostgresConnection, template: string): Promise<void> {
  const admin = new pg.Client(connection);
  await admin.connect();
  try {
    await admin.query(`alter database ${template} with is_template false`);
    await admin.query(`drop database ${template}`);
  } finally {
    await admin.end();
  }
}

/** The password is random, so nobody can try them all; and each test opens ten connections. */
async function makeSigningInCheap(admin: pg.Client, { user, password }: PostgresConnection): Promise<void> {
  await admin.query('set scram_iterations = 1');
  await admin.query(`alter role ${admin.escapeIdentifier(user)} password ${admin.escapeLiteral(password)}`);
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
