import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '../process/start-error.ts';
import { role } from './cluster.ts';
import { readLockFile } from './earlier.ts';
import { type PostgresConnection, tryConnect } from './guard.ts';

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
