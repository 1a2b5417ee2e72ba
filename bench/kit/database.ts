import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/platform/postgres/index.ts';

/** A PostgreSQL that the bench itself holds: to look into it, or for several Parleys on one database. */
export interface Database {
  /** For `DATABASE_URL`. */
  url: string;
  client: pg.Client;
  stop(): Promise<void>;
}

/**
 * As a database that is older than a few minutes: its log is written into files that it had before. A new file is filled with zeros first, and
 * nobody commits meanwhile.
 */
export const settleLog = ({ client }: Database): Promise<unknown> => client.query('checkpoint');

/** Starts the PostgreSQL of a data directory, as a Parley with that directory would. */
export async function startDatabase(scope: AsyncDisposableStack, dataDirectory: string): Promise<Database> {
  const starting = startEmbeddedPostgres({ directory: path.join(dataDirectory, 'postgres'), progress: () => {} });
  // On the scope before it is up: an interruption in between must not leave it behind.
  scope.defer(() => starting.then((postgres) => postgres.stop()));
  const postgres = await starting;
  const client = new pg.Client(postgres.connection);
  client.on('error', () => {});
  await client.connect();
  const { host, port, user, password, database } = postgres.connection;
  const secret = `${user}:${encodeURIComponent(password)}`;
  return {
    url: `postgres://${secret}@${encodeURIComponent(host)}:${port}/${database}`,
    client,
    async stop() {
      await client.end();
      await postgres.stop();
    },
  };
}
