import { join } from 'node:path';
import type { Description } from '../../platform/backup/contents.ts';
import type { Config } from '../../platform/config.ts';
import { DatabaseClient } from '../../platform/db/connect/client.ts';
import { type Connection, connectionOf, directOf } from '../../platform/db/connect/connection.ts';
import { clientOptions } from '../../platform/db/connect/pool.ts';
import type { PostgresConnection } from '../../platform/postgres/index.ts';
import { Complaint } from '../terminal.ts';

/** The database of the server, for a command that works on it directly. */
export interface Source {
  kind: Description['database']['kind'];
  connection: Connection;
  /** Of the embedded one. */
  embedded: PostgresConnection | undefined;
  stop(): Promise<void>;
}

/** The operator's own database, or the embedded one; that is started for the time of the command if no server runs. */
export async function openSource(config: Config, progress: (line: string) => void): Promise<Source> {
  if (config.DATABASE_URL) {
    return { kind: 'dump', connection: connectionOf(config), embedded: undefined, stop: async () => {} };
  }
  const directory = join(config.dataDir, 'postgres');
  const { findServer } = await import('../../platform/postgres/running.ts');
  const found = await findServer(directory);
  if (!found) throw new Complaint(`There is no database in ${config.dataDir}. Set DATA_DIR as the server has it.`, 2);
  if (found.connection) {
    return { kind: 'embedded', connection: found.connection, embedded: found.connection, stop: async () => {} };
  }
  progress('No server runs here: the database is started for this command.');
  const { startEmbeddedPostgres } = await import('../../platform/postgres/index.ts');
  const postgres = await startEmbeddedPostgres({ directory, progress });
  return {
    kind: 'embedded',
    connection: postgres.connection,
    embedded: postgres.connection,
    stop: () => postgres.stop(),
  };
}

/** Versions of the server and of the schema; undefined schema: Parley was never started on it. */
export async function readVersions(
  connection: Connection,
): Promise<{ postgres: number; migration: number | undefined; isCitus: boolean }> {
  const client = new DatabaseClient(clientOptions(directOf(connection)));
  try {
    await client.connect();
    const { rows } = await client.query(
      `select current_setting('server_version_num')::int / 10000 as postgres,
              to_regclass('schema_migrations') is not null as is_there,
              exists (select 1 from pg_extension where extname = 'citus') as is_citus`,
    );
    const [{ postgres, is_there, is_citus }] = rows;
    const newest = is_there ? await client.query('select max(version) as newest from schema_migrations') : undefined;
    return { postgres, migration: newest?.rows[0].newest ?? undefined, isCitus: is_citus };
  } catch (error) {
    const { message, code } = error as { message: string; code?: string };
    throw new Complaint(`The database cannot be reached (${message || code}).`);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Where the client programs of PostgreSQL connect to. */
export function directUrlOf(connection: Connection): string {
  const direct = directOf(connection);
  if ('connectionString' in direct) return direct.connectionString;
  throw new Error('The embedded database has no URL.');
}
