// What the lock file `postmaster.pid` of an earlier server can mean, and what happens then:
//   its process is gone, or is some other program   start; PostgreSQL recovers
//   it starts or stops                              wait for what becomes of it
//   it serves, and a Parley holds the guard         refuse; if the one that started it was killed, wait a moment for its session to end
//   it serves, and nobody holds the guard           a killed Parley left it behind: end it, then start
import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { StartError } from '../errors.ts';
import type { Binaries } from './binaries.ts';
import { role } from './cluster.ts';
import { type PostgresConnection, readGuard, takeGuard, tryConnect } from './guard.ts';
import type { Home } from './home.ts';
import { endServer, isAlive, servesDirectory } from './processes.ts';

interface Earlier {
  pid: number;
  port: number;
  host: string;
}

const patienceMs = 15_000;
/** A Parley takes the guard of a server it has just started within milliseconds; this long, and it never will. */
const guardPatienceMs = 3_000;
const pollMs = 50;

/** Returns when no PostgreSQL serves the data directory any more; throws when another Parley uses it. */
export async function makeWay(home: Home, binaries: Binaries, progress: (line: string) => void): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const earlier = await readLockFile(home.pgdata);
    if (!earlier) return;
    if (!(await servesDirectory(earlier.pid, home.pgdata))) return removeStaleLock(home, earlier);
    const guard = await takeOver(home, earlier);
    if (guard) {
      progress(`Stopping a PostgreSQL (process ${earlier.pid}) that was left behind…`);
      await endServer(earlier.pid, binaries, async () => !(await servesDirectory(earlier.pid, home.pgdata)));
      await guard.end().catch(() => {});
      return removeStaleLock(home, earlier);
    }
    if (performance.now() > deadline) throw inUse(home, earlier.pid);
    await sleep(pollMs);
  }
}

/** The refusal to share a data directory. */
export function inUse({ directory }: Home, pid: number): StartError {
  const holder = `another Parley (PostgreSQL process ${pid})`;
  return new StartError(
    `The data directory ${directory} is in use by ${holder}. Stop it first or set DATA_DIR to another directory.`,
  );
}

/** Takes the guard of a server that was left behind; undefined while the server answers nobody. */
async function takeOver(home: Home, { pid, host, port }: Earlier): Promise<pg.Client | undefined> {
  const client = await tryConnect({ host, port, user: role, password: home.password, database: 'postgres' });
  if (!client) return undefined;
  try {
    const deadline = performance.now() + guardPatienceMs;
    for (;;) {
      const { taken, starter } = await readGuard(client);
      const isOver = performance.now() > deadline;
      // The session of a Parley that was killed ends a moment after it.
      if (taken && (isAlive(starter) || isOver)) throw inUse(home, pid);
      if (!taken && (!isAlive(starter) || isOver)) break;
      await sleep(pollMs);
    }
    if (await takeGuard(client)) return client;
    throw inUse(home, pid);
  } catch (error) {
    await client.end().catch(() => {});
    if (error instanceof StartError) throw error;
    return undefined;
  }
}

/** PostgreSQL replaces the lock file of a dead process by itself, but believes any living one, and an empty file. */
async function removeStaleLock({ pgdata }: Home, { pid }: Earlier): Promise<void> {
  if (Number.isNaN(pid) || isAlive(pid)) await rm(path.join(pgdata, 'postmaster.pid'), { force: true });
}

/** What the server of a data directory wrote about itself; undefined: it ended in order, or never ran. */
async function readLockFile(pgdata: string, again = true): Promise<Earlier | undefined> {
  const content = await readFile(path.join(pgdata, 'postmaster.pid'), 'utf8').catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (content === undefined) return undefined;
  if (content === '' && again) {
    // Empty for an instant while a server starts; for ever when the machine lost power then.
    await sleep(500);
    return readLockFile(pgdata, false);
  }
  const [pid, , , port, socketDirectory, address] = content.split('\n').map((line) => line.trim());
  return { pid: Number.parseInt(pid ?? '', 10), port: Number(port), host: socketDirectory || address || '' };
}

/** The database of a data directory, as another process of the same machine finds it. */
export interface FoundServer {
  /** To Parley's database; undefined: no server answers there. */
  connection: PostgresConnection | undefined;
}

/** Looks for the server of a directory without changing anything there; undefined: no database was ever made in it. */
export async function findServer(directory: string): Promise<FoundServer | undefined> {
  const pgdata = path.join(directory, 'pgdata');
  if (!(await stat(path.join(pgdata, 'PG_VERSION')).catch(unlessAbsent))) return undefined;
  const password = (await readFile(path.join(directory, 'postgres-password'), 'utf8')).trim();
  const lock = await readLockFile(pgdata);
  if (!lock) return { connection: undefined };
  const connection = { host: lock.host, port: lock.port, user: role, password, database: role };
  const client = await tryConnect(connection);
  await client?.end();
  return { connection: client && connection };
}

function unlessAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw new StartError(`The data directory cannot be read: ${error.message}`, { cause: error });
}
