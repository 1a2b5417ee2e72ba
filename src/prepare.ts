import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import type { Config } from './platform/config.ts';
import { DatabaseClient } from './platform/db/connect/client.ts';
import { type Connection, connectionOf, directOf } from './platform/db/connect/connection.ts';
import { clientOptions } from './platform/db/connect/pool.ts';
import { StartError } from './platform/errors.ts';
import { makeRedirectServer } from './platform/http/wire/https.ts';
import type { EmbeddedPostgresOptions } from './platform/postgres/index.ts';
import { connectionsOf, fittingProcesses } from './platform/process/parts.ts';
import type { Running } from './start.ts';

export interface Database {
  connection: Connection;
  stop(): Promise<void>;
  onExit(listener: (description: string) => void): void;
}

/** The operator's database, or the embedded one, with room for so many processes. */
export async function openDatabase(
  config: Config,
  count: number,
  { progress, onLaunched }: Pick<EmbeddedPostgresOptions, 'progress' | 'onLaunched'>,
): Promise<Database> {
  if (config.DATABASE_URL) {
    return { connection: connectionOf(config), stop: async () => {}, onExit: () => {} };
  }
  const { startEmbeddedPostgres } = await import('./platform/postgres/index.ts');
  const { archiveSettings, forgetWalArchive, startWalArchive } = await import('./platform/postgres/wal/archive.ts');
  const archived = config.WAL_ARCHIVE === '' ? undefined : resolve(config.WAL_ARCHIVE);
  const settings: Record<string, string> = {
    ...(count > 1 && { max_connections: String(connectionsOf(count)) }),
    ...(archived !== undefined && archiveSettings),
  };
  const directory = join(config.dataDir, 'postgres');
  const postgres = await startEmbeddedPostgres({ directory, progress, settings, onLaunched });
  const { connection } = postgres;
  try {
    if (archived === undefined) {
      await forgetWalArchive(connection, directory);
      return postgres;
    }
    const archive = await startWalArchive({ connection, directory: archived, tell: progress });
    return { ...postgres, stop: async () => void (await Promise.all([archive.stop(), postgres.stop()])) };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** So many of the wanted processes as a database of the operator's has connections for, if the number is ours to choose. */
export async function fitToDatabase(config: Config, count: number, connection: Connection): Promise<number> {
  if (count === 1 || !config.DATABASE_URL || config.PROCESSES !== 'auto') return count;
  // A pooler has as many as it takes.
  if (config.DATABASE_DIRECT_URL) return count;
  const client = new DatabaseClient(clientOptions(directOf(connection)));
  await client.connect();
  try {
    const { rows } = await client.query("select current_setting('max_connections')::int as most");
    return fittingProcesses(count, rows[0].most);
  } finally {
    await client.end();
  }
}

/** Before anything is started or made: somebody else may have the port. Answers which it is, for PORT=0 one that is free. */
export function findPort({ PORT, HOST }: Pick<Config, 'PORT' | 'HOST'>): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => reject(portError(error, { PORT, HOST })));
    probe.listen(PORT, HOST, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

/**
 * Listens, and shares the port with other processes of this server if there are any. Linux deals connections out to them by itself.
 * Elsewhere the supervisor takes them and passes them on; those that are on their way to a process that is killed hang until their
 * client gives up.
 */
export async function listen({ app }: Running, config: Config, isShared = false): Promise<void> {
  const sharing = isShared && process.platform === 'linux' ? { reusePort: true, exclusive: true } : {};
  await app.listen({ port: config.PORT, host: config.HOST, ...sharing }).catch((error) => {
    throw portError(error, config);
  });
  const { HTTP_REDIRECT_PORT, HOST, PUBLIC_URL } = config;
  if (HTTP_REDIRECT_PORT === 0) return;
  const { port } = app.server.address() as AddressInfo;
  const redirects = makeRedirectServer({ publicUrl: PUBLIC_URL, port });
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  redirects.once('error', (error) => reject(portError(error, { PORT: HTTP_REDIRECT_PORT, HOST })));
  redirects.listen({ port: HTTP_REDIRECT_PORT, host: HOST, ...sharing }, resolve);
  app.server.once('close', () => {
    redirects.close();
    redirects.closeAllConnections();
  });
  await listening;
}

function portError(error: NodeJS.ErrnoException, { PORT, HOST }: Pick<Config, 'PORT' | 'HOST'>): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(`Port ${PORT} on ${HOST} is taken by another program. Stop it or set PORT to another one.`);
    case 'EACCES':
      return new StartError(`Port ${PORT} needs more rights than this user has. Set PORT to 1024 or above.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`HOST=${HOST} is not an address of this machine.`);
    default:
      return error;
  }
}
