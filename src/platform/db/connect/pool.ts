import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import type { Content } from '../../content/content.ts';
import type { Log } from '../../log.ts';
import { timestampFromDatabase } from '../../time/clock.ts';
import type { DB } from '../types.ts';
import { type ClientOptions, DatabaseClient } from './client.ts';
import type { Connection } from './connection.ts';
import { noteDatabaseError } from './failure.ts';
import { DatabaseAdapter, makeTraits, type Traits } from './traits.ts';

export { prepared, runPrepared } from './client.ts';
export type { Connection } from './connection.ts';
export { contentOf, isDistributed } from './traits.ts';

/** A database handle or an open transaction: query functions take either. */
export type Db = Kysely<DB>;

const parsers: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.TIMESTAMPTZ]: timestampFromDatabase,
  [pg.types.builtins.DATE]: (text) => text,
  // Our 8-byte numbers are counts, and stay far below 2^53.
  [pg.types.builtins.INT8]: Number,
};

const bytesOf = pg.types.getTypeParser(pg.types.builtins.BYTEA) as (text: string) => Buffer;

/** The types of columns that may hold encrypted content; no other column is of the type `varchar`. */
const contentParsers = (content: Content): typeof parsers => ({
  [pg.types.builtins.JSON]: content.openJson,
  [pg.types.builtins.VARCHAR]: content.openText,
  [pg.types.builtins.BYTEA]: (text) => content.openBytes(bytesOf(text)),
});

/** How long the server works on a statement before it gives up. Left out: as long as it takes. */
export interface StatementLimits {
  statementMs: number;
  /** How long it waits for a row or a table that somebody else has locked. */
  lockMs: number;
}

/**
 * A transaction that is idle for this long was forgotten. It leaves time to convert an MP3, but does not wait for a dead client.
 */
const idleTransactionMs = 15 * 60_000;

/** A pooler does not pass on the server's limits, so we wait a moment longer than those and then hang up. */
const pooledGraceMs = 5_000;

/** Settings for as long as a connection lasts. A pooler takes none of them. */
interface Session {
  limits?: StatementLimits | undefined;
  /** It is for work that no request waits for. */
  isBackground?: boolean;
}

/** How statements of background work are planned: see decisions 65 and 67. */
export const backgroundPlanning = { enable_partition_pruning: 'off', enable_incremental_sort: 'off' };

/**
 * On a distributed database: a statement over several shards asks them one after the other, since a transaction cannot change a table that
 * all nodes have after one that asked them at once. Elsewhere nobody reads it.
 */
export const distributedPlanning = { 'citus.multi_shard_modify_mode': 'sequential' };

/** Options every connection of ours shares: UTC, wire-ready timestamps, a name that `pg_stat_activity` shows. */
export function clientOptions(
  connection: Connection,
  { limits, isBackground = false }: Session = {},
  content?: Content,
): ClientOptions {
  const ours = content ? { ...parsers, ...contentParsers(content) } : parsers;
  const { direct, replica, ...place } = { direct: undefined, replica: undefined, ...connection };
  const isPooled = 'isPooled' in connection && connection.isPooled === true;
  return {
    ...place,
    // A stray PGSSLMODE must not affect the embedded server; a URL has its own setting.
    ...('host' in connection && { ssl: false }),
    application_name: 'parley',
    ...(isPooled
      ? limits && { query_timeout: limits.statementMs + pooledGraceMs }
      : {
          options: settingsText({
            timezone: 'UTC',
            idle_in_transaction_session_timeout: idleTransactionMs,
            ...(limits && { statement_timeout: limits.statementMs, lock_timeout: limits.lockMs }),
            ...(isBackground && backgroundPlanning),
            ...distributedPlanning,
          }),
        }),
    connectionTimeoutMillis: 10_000,
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        ours[oid] ?? pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
    },
  };
}

const settingsText = (settings: Record<string, string | number>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

class OurPool extends pg.Pool {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  override connect(...callbacks: any[]): any {
    const connecting = super.connect(...(callbacks as []));
    return (connecting as Promise<unknown> | undefined)?.catch((error: unknown) => {
      noteDatabaseError(error);
      throw error;
    });
  }
}

/** A new connection plans every statement again, some five times, so connections that a burst needed are kept for the next one. */
const idleTimeoutMillis = 5 * 60_000;

export interface PoolOptions extends Session {
  size?: number;
  /** A statement failed because the server's disk is full. */
  onFull?(): void;
  /** Opens encrypted content as it is read. */
  content?: Content;
}

export function makePool(connection: Connection, log: Log, options: PoolOptions = {}): pg.Pool {
  const { size = 12, onFull, content } = options;
  const pool = new OurPool({
    ...clientOptions(connection, options, content),
    max: size,
    idleTimeoutMillis,
    Client: DatabaseClient,
  });
  // An idle connection that breaks (a database restart) is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) => log.warn({ error: error.message }, 'An idle database connection broke'));
  // A connection in use reports an error by the statement that fails; without a listener, its other events would end the process.
  pool.on('connect', (client) => {
    client.on('error', () => {});
    (client as unknown as DatabaseClient).onFull = onFull;
  });
  return pool;
}

class OurDialect extends PostgresDialect {
  readonly #traits: Traits;
  constructor(pool: PostgresPool, traits: Traits) {
    super({ pool });
    this.#traits = traits;
  }

  override createAdapter(): DatabaseAdapter {
    return new DatabaseAdapter(this.#traits);
  }
}

export const makeDb = (pool: PostgresPool, traits: Traits = makeTraits()): Db =>
  new Kysely<DB>({ dialect: new OurDialect(pool, traits) });

/** Runs `work` in a transaction: the one `db` already is, or a new one. */
export const inTransaction = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : anew(() => db.transaction().execute(work));

const mostTries = 3;
const deadlock = '40P01';

/**
 * Runs work again that a deadlock ended: PostgreSQL ends one of two transactions that wait for each other, and its work is undone.
 */
async function anew<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      if ((error as { code?: string }).code !== deadlock || tries === mostTries) throw error;
    }
  }
}
