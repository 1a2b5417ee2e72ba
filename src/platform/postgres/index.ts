import { chown } from 'node:fs/promises';
import type pg from 'pg';
import { StartError } from '../errors.ts';
import { locateBinaries } from './binaries.ts';
import { ensureCluster, role } from './cluster.ts';
import type { PostgresConnection } from './guard.ts';
import { makeRuntimeDirectory, openHome } from './home.ts';
import { chooseRunAs } from './run-as.ts';
import { makeWay } from './running.ts';
import { startServer, superviseServer } from './server.ts';

export type { PostgresConnection } from './guard.ts';

/** A PostgreSQL that belongs to this process. */
export interface EmbeddedPostgres {
  connection: PostgresConnection;
  /** Ends the server cleanly; open sessions are cut. */
  stop(): Promise<void>;
  /** Tells when the server ended without being asked to. */
  onExit(listener: (description: string) => void): void;
}

export interface EmbeddedPostgresOptions {
  /** Holds the data, the password and the log. */
  directory: string;
  progress: (line: string) => void;
  /** Is called when there is nothing to do but wait: once the database is being created, and once the server has been launched. */
  onLaunched?: (() => void) | undefined;
  /** Server settings, over our defaults. */
  settings?: Record<string, string>;
  /** For root only: false to switch to another user even where user namespaces work. */
  userNamespaces?: boolean;
}

/**
 * Starts the PostgreSQL of a directory, making it at the first start. Only this process can connect: the socket is in a
 * private directory and asks for a password that only the owner of the files can read.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options);
  } catch (error) {
    if (error instanceof StartError || !(error as NodeJS.ErrnoException).code) throw error;
    const { message } = error as Error;
    throw new StartError(`PostgreSQL cannot use the data directory ${options.directory}: ${message}`, { cause: error });
  }
}

async function start({ directory, progress, onLaunched, settings = {}, userNamespaces }: EmbeddedPostgresOptions) {
  const binaries = locateBinaries();
  const home = await openHome(directory);
  await makeWay(home, binaries, progress);
  const runtime = await makeRuntimeDirectory(home);
  try {
    const runAs = await chooseRunAs({ binaries, pgdata: home.pgdata, runtimeDirectory: runtime.path, userNamespaces });
    if (runAs.owner) await chown(runtime.path, runAs.owner.uid, runAs.owner.gid);
    const place = { home, runAs, runtimeDirectory: runtime.path, progress, onLaunched };
    await ensureCluster({ ...place, sync: settings['fsync'] !== 'off' });
    const server = await startServer({ ...place, settings });
    await ensureDatabase(server.guard);
    return {
      connection: { ...server.connection, database: role },
      ...superviseServer({ home, binaries, runtime, server }),
    };
  } catch (error) {
    await runtime.remove();
    throw error;
  }
}

/** Parley's own database; the maintenance database next to it holds the guard. */
async function ensureDatabase(guard: pg.Client): Promise<void> {
  const { rowCount } = await guard.query('select 1 from pg_database where datname = $1', [role]);
  if (rowCount === 0) await guard.query(`create database ${role}`);
}
