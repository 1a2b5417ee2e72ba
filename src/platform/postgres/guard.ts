// A running Parley holds one advisory lock in its PostgreSQL for its whole life: that tells a server in use from one that a
// killed Parley left behind.
import pg from 'pg';

/** Where a PostgreSQL is and how to enter it. On POSIX systems `host` is the directory of its socket. */
export interface PostgresConnection {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

/** "Parley" in ASCII. */
const lockKey = '88379461756281';

/** Errors that waiting does not cure: wrong password, no access to the socket. */
const lasting = new Set(['28P01', '28000', 'EACCES', 'EPERM']);

/** Connects to the server, or answers undefined while it does not accept sessions (yet, or any more). */
export async function tryConnect(connection: PostgresConnection): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    ...connection,
    ssl: false,
    application_name: 'parley guard',
    connectionTimeoutMillis: 5_000,
  });
  // Loss of the session shows as its end; an error event without a listener would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    if (lasting.has((error as { code?: string }).code ?? '')) throw error;
    return undefined;
  }
}

/** Takes the lock for as long as the session lasts; false when another Parley has it. */
export async function takeGuard(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [lockKey]);
  return rows[0].taken;
}

/** Whether a Parley holds the lock, and the process that started the server, without touching the lock. */
export async function readGuard(client: pg.Client): Promise<{ taken: boolean; starter: number }> {
  const { rows } = await client.query(
    `select coalesce(current_setting('parley.pid', true), '0')::int as starter,
            exists (select 1 from pg_locks where locktype = 'advisory' and objsubid = 1
                       and database = (select oid from pg_database where datname = current_database())
                       and (classid::bigint << 32) | objid::bigint = $1) as taken`,
    [lockKey],
  );
  return rows[0];
}
