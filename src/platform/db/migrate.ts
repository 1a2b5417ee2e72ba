import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../errors.ts';
import { readPhone } from '../phone.ts';
import { DatabaseClient } from './connect/client.ts';
import { type Connection, directOf } from './connect/connection.ts';
import { databaseTrouble, noteDatabaseError } from './connect/failure.ts';
import { backgroundPlanning, clientOptions, distributedPlanning } from './connect/pool.ts';

const directory = new URL('../../../migrations/', import.meta.url);

/** Any constant will do: one migrator at a time per database, whichever process comes first. */
const migrationLock = 7_265_001;
const oldestSupported = 15;
/** How long to wait for a server that is busy when we start. */
const patienceMs = 60_000;
const pauseMs = 500;
/**
 * Processes of the previous version serve while we migrate. A statement that waits for a table makes everybody who comes later
 * wait, too. So it waits for only a moment and then tries again; these are the times for one wait and for all of them.
 */
const lockMs = 2_000;
const lockPatienceMs = 10 * 60_000;
/** Errors that waiting does not cure: nothing listens at that address, or no way leads there. */
const refusals = new Set(['ECONNREFUSED', 'ENOENT', 'EACCES', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH']);

/** The parts of migrations that SQL cannot do, by version. They run after the file, in its transaction. */
const steps = new Map<number, (client: pg.Client) => Promise<void>>([[50, readWrittenNumbers]]);

export interface MigrateOptions {
  progress: (line: string) => void;
  /** The files to apply; left out: those of `migrations/`. */
  files?: Migration[];
}

export interface Migration {
  version: number;
  name: string;
  text: string;
  checksum: string;
}

/**
 * Brings the database up to the code: each file of `migrations/` in its own transaction, once, in order. Refuses a database
 * that is newer than the code and a file that was changed after it was applied.
 */
export async function migrate(connection: Connection, options: MigrateOptions): Promise<void> {
  const client = await openMigrator(connection, options.progress);
  try {
    await client.query(`create table if not exists schema_migrations (
      version integer primary key, name text not null, checksum text not null, applied timestamptz not null default now())`);
    const files = options.files ?? (await readMigrations());
    const pending = findPending(files, (await client.query<Migration>('select * from schema_migrations')).rows);
    if (pending.length > 0) options.progress(`Migrating the database (${pending.length} of ${files.length} steps)…`);
    for (const migration of pending) await applyBesideOthers(client, migration, options.progress);
  } finally {
    await client.end();
  }
}

/** A session that has the sole right to change the schema until it ends. */
export async function openMigrator(connection: Connection, progress: (line: string) => void): Promise<pg.Client> {
  const client = await connect(connection, progress);
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** Waits for a server that exists but is starting, crowded or silent. One that refuses, or is unknown, is not waited for. */
async function connect(connection: Connection, progress: (line: string) => void): Promise<pg.Client> {
  const endMs = performance.now() + patienceMs;
  for (let tries = 1; ; tries++) {
    const client = new DatabaseClient(clientOptions(directOf(connection)));
    try {
      await client.connect();
      await checkVersion(client);
      return client;
    } catch (error) {
      await client.end().catch(() => {});
      if (error instanceof StartError) throw error;
      const { code, message } = error as { code?: string; message: string };
      const why = message || code;
      if (!isPassing(error) || performance.now() > endMs) {
        throw new StartError(`The database cannot be reached (${why}). Check DATABASE_URL and that the server runs.`);
      }
      if (tries === 1) progress(`Waiting for the database (${why})…`);
      await sleep(pauseMs);
    }
  }
}

function isPassing(error: unknown): boolean {
  noteDatabaseError(error);
  const { code } = error as { code?: unknown };
  return databaseTrouble(error) !== undefined && !refusals.has(String(code));
}

async function checkVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query("select current_setting('server_version_num')::int / 10000 as major");
  if (rows[0].major >= oldestSupported) return;
  throw new StartError(`PostgreSQL ${rows[0].major} is too old: Parley needs ${oldestSupported} or newer.`);
}

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, directory), 'utf8');
      return { version: Number.parseInt(name, 10), name, text, checksum: hash('sha256', text) };
    }),
  );
}

/**
 * The files that are still to be applied. Throws a sentence if the database is newer than the code, or an applied file was changed.
 */
export function findPending(files: Migration[], applied: Migration[]): Migration[] {
  const known = new Map(files.map((file) => [file.version, file]));
  for (const row of applied) {
    const file = known.get(row.version);
    if (!file)
      throw new StartError(`The database is newer than this Parley (it has ${row.name}). Install the newer version.`);
    if (file.checksum !== row.checksum) {
      throw new StartError(`Migration ${row.name} was changed after it was applied. Restore the file as it was.`);
    }
  }
  const done = new Set(applied.map((row) => row.version));
  return files.filter((file) => !done.has(file.version));
}

/** Tries again as long as somebody else has locked what the migration needs. */
async function applyBesideOthers(
  client: pg.Client,
  migration: Migration,
  progress: MigrateOptions['progress'],
): Promise<void> {
  const endMs = performance.now() + lockPatienceMs;
  for (let tries = 1; ; tries++) {
    try {
      await apply(client, migration);
      return;
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      if (!inTheWay.has(String(code)) || performance.now() > endMs) {
        throw new StartError(`Migration ${migration.name} failed: ${message}`, { cause: error });
      }
      if (tries === 1) progress(`Waiting for others to let go of a table (${migration.name})…`);
      await sleep(pauseMs);
    }
  }
}

/** Errors of a lock that did not come in time, and of a deadlock. */
const inTheWay = new Set(['55P03', '40P01']);

async function apply(client: pg.Client, { version, name, text, checksum }: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${lockMs}`);
    await client.query(text);
    await steps.get(version)?.(client);
    await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
      version,
      name,
      checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

const batchSize = 10_000;

/**
 * The part of migration 50 that SQL cannot do: where a number as it was written means something else than its digits say, notes
 * what it means in the country of the account. Runs in the migration's transaction.
 */
async function readWrittenNumbers(client: pg.Client): Promise<void> {
  // A number that begins with a plus, has digits only and no zero after the country code means what its digits say.
  await client.query(`declare spellings no scroll cursor for
    select distinct account_id, country, written from written_numbers
    where written ~ '\\d' and written !~ '[[:alpha:]]' and written !~ '^\\+[1-9](?!\\d{0,2}0)\\d*$'`);
  for (;;) {
    const { rows } = await client.query<Spelling>(`fetch ${batchSize} from spellings`);
    if (rows.length === 0) break;
    const readings = rows.flatMap(({ account_id, country, written }) => {
      const [plain, digits] = [written.replace(/[^0-9]/g, ''), readPhone(written, country)];
      return digits === plain ? [] : [{ account_id, written, plain, digits }];
    });
    await client.query(
      `insert into phone_readings (account_id, written, plain, digits)
      select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[])`,
      (['account_id', 'written', 'plain', 'digits'] as const).map((name) => readings.map((reading) => reading[name])),
    );
  }
  await client.query('close spellings');
}

interface Spelling {
  account_id: string;
  country: string;
  written: string;
}

const isSettledText = `select 1 from pg_db_role_setting
  where setdatabase = (select oid from pg_database where datname = current_database()) and setrole = current_user::regrole
    and setconfig @> $1`;

/**
 * A pooler passes no settings on. So all connections of our role to this database get those of background work. Several hosts may
 * start at once, so one of them sets it.
 */
export async function settlePooled(connection: Connection): Promise<void> {
  if (!('isPooled' in connection) || !connection.isPooled) return;
  const client = await openMigrator(connection, () => {});
  try {
    const { rows: citus } = await client.query("select 1 from pg_extension where extname = 'citus'");
    const settings = Object.entries({ ...backgroundPlanning, ...(citus.length > 0 && distributedPlanning) });
    const wanted = settings.map(([name, value]) => `${name}=${value}`);
    if ((await client.query(isSettledText, [wanted])).rows.length > 0) return;
    const { rows } = await client.query('select current_database() as name');
    const database = pg.escapeIdentifier(rows[0].name);
    for (const [name, value] of settings) {
      await client.query(`alter role current_user in database ${database} set ${name} = ${value}`);
    }
  } finally {
    await client.end();
  }
}
