import { CompiledQuery, Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import type { Log } from '../../log.ts';
import { timestampFromDatabase } from '../../time/clock.ts';
import { parameterOf } from '../arrays.ts';
import type { DB } from '../types.ts';
import { databaseTrouble, isAnswerLost, noteDatabaseError, noteUnknownOutcome } from './failure.ts';

/** A database handle or an open transaction: query functions take either. */
export type Db = Kysely<DB>;

/** Where the database is: the embedded server's parts, or a URL of the operator's own. */
export type Connection =
  | { host: string; port: number; user: string; password: string; database: string }
  | { connectionString: string };

const parsers: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.TIMESTAMPTZ]: timestampFromDatabase,
  [pg.types.builtins.DATE]: (text) => text,
  // Counts only: our own 8-byte numbers stay far below 2^53.
  [pg.types.builtins.INT8]: Number,
};

/** How long the server works for one connection before it gives up. Without limits: as long as it takes. */
export interface StatementLimits {
  statementMs: number;
  /** For a row or a table that somebody else has locked. */
  lockMs: number;
}

/** A transaction in which nothing happens for so long was forgotten: an MP3 that is being converted is waited for, a dead client is not. */
const idleTransactionMs = 15 * 60_000;

/** Options every connection of ours shares: UTC, wire-ready timestamps, a name that `pg_stat_activity` shows. */
export function clientOptions(connection: Connection, limits?: StatementLimits): pg.ClientConfig {
  return {
    ...connection,
    // A stray PGSSLMODE must not concern the embedded server; a URL says for itself.
    ...('host' in connection && { ssl: false }),
    application_name: 'parley',
    options: settingsText({
      timezone: 'UTC',
      idle_in_transaction_session_timeout: idleTransactionMs,
      ...(limits && { statement_timeout: limits.statementMs, lock_timeout: limits.lockMs }),
    }),
    connectionTimeoutMillis: 10_000,
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        parsers[oid] ?? pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
    },
  };
}

const settingsText = (settings: Record<string, string | number>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/**
 * A statement that PostgreSQL parses and plans once per connection, and that is not put together again each time either.
 * Worth it for what runs for every batch of messages.
 */
export function prepared<Row>(name: string, text: string): (db: Db, parameters: unknown[]) => Promise<Row[]> {
  const marked = `${preparedMark}${name}\n${text}`;
  return async (db, parameters) => {
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(marked, parameters.map(parameterOf)));
    return rows;
  };
}
const preparedMark = '-- prepared: ';

/** Prepares what is to be prepared, and says of errors that they are the database's (see `failure.ts`). */
class OurClient extends pg.Client {
  /** Something was being committed when the connection broke. What fails on it from then on is part of the same failure. */
  #isOutcomeUnknown = false;
  onFull: (() => void) | undefined;

  // biome-ignore lint/suspicious/noExplicitAny: passes on whatever the driver takes, and answers what it answers
  override query(statement: any, ...rest: any[]): any {
    if (typeof statement !== 'string') return super.query(statement, ...(rest as []));
    const isPrepared = statement.startsWith(preparedMark);
    const answer = isPrepared
      ? super.query({ name: nameOf(statement), text: statement, values: rest[0] })
      : super.query(statement, ...(rest as []));
    return (answer as Promise<unknown> | undefined)?.catch((error: unknown) => {
      noteDatabaseError(error);
      if (databaseTrouble(error) === 'full') this.onFull?.();
      this.#isOutcomeUnknown ||= isAnswerLost(error) && this.#commits(statement);
      if (this.#isOutcomeUnknown) noteUnknownOutcome(error);
      throw error;
    });
  }

  /** By what the server said last: inside a transaction only its end commits. */
  #commits(statement: string): boolean {
    return this.getTransactionStatus() === 'I' ? writes.test(statement) : /^\s*commit/i.test(statement);
  }
}

const nameOf = (statement: string): string => statement.slice(preparedMark.length, statement.indexOf('\n'));
/** Looked for in statements that failed only. A word too many costs nothing: that the outcome is unknown is always true. */
const writes = /\b(insert\s+into|update|delete\s+from|merge\s+into|truncate|call)\b/i;

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

/** A new connection plans every statement anew, some five times: those that a burst needed are kept for the next one. */
const idleTimeoutMillis = 5 * 60_000;

export interface PoolOptions {
  size?: number;
  limits?: StatementLimits;
  /** A statement failed because the server's disk is full. */
  onFull?(): void;
}

export function makePool(connection: Connection, log: Log, options: PoolOptions = {}): pg.Pool {
  const { size = 12, limits, onFull } = options;
  const pool = new OurPool({ ...clientOptions(connection, limits), max: size, idleTimeoutMillis, Client: OurClient });
  // An idle connection that breaks (a database restart) is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) => log.warn({ error: error.message }, 'An idle database connection broke'));
  // One that is in use tells whoever uses it, by the statement that fails; what it says besides would end the process, too.
  pool.on('connect', (client) => {
    client.on('error', () => {});
    (client as unknown as OurClient).onFull = onFull;
  });
  return pool;
}

export const makeDb = (pool: PostgresPool): Db => new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });

/** Runs `work` in a transaction: the one `db` already is, or a new one. */
export const inTransaction = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : anew(() => db.transaction().execute(work));

const mostTries = 3;
const deadlock = '40P01';

/** Two transactions that wait for each other end one of the two, whose work is as if it had never begun: it begins anew. */
async function anew<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      if ((error as { code?: string }).code !== deadlock || tries === mostTries) throw error;
    }
  }
}
