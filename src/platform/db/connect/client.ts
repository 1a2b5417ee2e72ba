import type { Duplex } from 'node:stream';
import { CompiledQuery, type Kysely } from 'kysely';
import pg from 'pg';
import { parameterOf } from '../arrays.ts';
import type { DB } from '../types.ts';
import type { Host, Hosts } from './connection.ts';
import {
  databaseTrouble,
  isAnswerLost,
  isOutdatedPlan,
  isTakingNoWrites,
  isUnanswered,
  noteDatabaseError,
  noteUnknownOutcome,
} from './failure.ts';
import { DriverQuery, PreparedQuery } from './prepared-query.ts';
import { isDistributed } from './traits.ts';

/**
 * A statement that PostgreSQL parses and plans once per connection, and whose text is made once. Worth it for what runs for every
 * batch of messages.
 */
export function prepared<Row>(
  name: string,
  text: string,
  /** The text for a distributed database, if that differs. */
  distributedText = text,
): (db: Kysely<DB>, parameters: unknown[]) => Promise<Row[]> {
  const marked = markPrepared(name, text);
  const markedDistributed = markPrepared(name, distributedText);
  return async (db, parameters) => {
    const statement = isDistributed(db) ? markedDistributed : marked;
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(statement, parameters));
    return rows;
  };
}
const preparedMark = '-- prepared: ';

/** Marks a text, so that the client prepares the statement. */
export const markPrepared = (name: string, text: string): string => `${preparedMark}${name}\n${text}`;

/**
 * The same for a statement whose text is made each time but is always the same: for what runs for every request, or every message
 * of a quiet account.
 */
export async function runPrepared<Row>(db: Kysely<DB>, name: string, query: Query<Row>): Promise<Row[]> {
  const { sql, parameters } = query.compile(db);
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(markPrepared(name, sql), [...parameters]));
  return rows;
}

/** A query of the query builder, or a template. */
interface Query<Row> {
  compile(db: Kysely<DB>): CompiledQuery<Row>;
}

export interface ClientOptions extends pg.ClientConfig {
  /** The servers of the URL: it connects to the one that takes writes. */
  hosts?: Hosts;
  /** A pooler may send the next statement over another server connection, which does not know prepared statements of this one. */
  isPooled?: boolean;
}

/**
 * Prepares the statements that are marked for it, finds the server that takes writes, and marks errors as the database's (see
 * `failure.ts`).
 */
export class DatabaseClient extends pg.Client {
  /** Something was being committed when the connection broke. All errors on it from then on belong to the same failure. */
  #isOutcomeUnknown = false;
  readonly #hosts: Hosts | undefined;
  readonly #isPooled: boolean;
  #place: Host | undefined;
  onFull: (() => void) | undefined;

  constructor(options: ClientOptions = {}) {
    super(options);
    this.#hosts = options.hosts;
    this.#isPooled = options.isPooled === true;
  }

  // biome-ignore lint/suspicious/noExplicitAny: with or without a callback, as the driver and its pool call it
  override connect(callback?: (...answer: any[]) => void): any {
    if (!this.#hosts) return callback ? super.connect(callback) : super.connect();
    const connecting = this.#connectToPrimary(this.#hosts);
    if (!callback) return connecting;
    connecting.then(() => callback(null, this), callback);
  }

  async #connectToPrimary(hosts: Hosts): Promise<this> {
    const place = await hosts.primary();
    this.#place = place;
    this.host = place.host;
    this.port = place.port;
    try {
      await super.connect();
      // It may have become a standby since it was found.
      const { rows } = await super.query('show transaction_read_only');
      if (rows[0].transaction_read_only === 'off') {
        this.once(
          'end',
          hosts.joined(place, () => this.cut()),
        );
        return this;
      }
      throw Object.assign(new Error(`${place.host} takes no writes any more.`), { code: '25006' });
    } catch (error) {
      hosts.isNot(place);
      noteDatabaseError(error);
      this.end().catch(() => {});
      throw error;
    }
  }

  /** Ends without telling the server: whatever is under way fails as if the connection had broken. */
  cut(): void {
    (this as unknown as Connected).connection.stream.destroy();
  }

  /** A pooler takes no `options`; of the settings in there it knows the time zone alone. */
  getStartupConf(): Record<string, string> {
    const settings = (pg.Client.prototype as unknown as Startup).getStartupConf.call(this);
    return this.#isPooled ? { ...settings, timezone: 'UTC' } : settings;
  }

  // biome-ignore lint/suspicious/noExplicitAny: passes on whatever the driver takes, and answers what it answers
  override query(statement: any, ...rest: any[]): any {
    const [values] = rest;
    const hasCallback = rest.some((one) => typeof one === 'function');
    if (typeof statement !== 'string' || hasCallback) return super.query(statement, ...(rest as []));
    const isPrepared = statement.startsWith(preparedMark) && !this.#isPooled;
    const parameters = values?.map(parameterOf);
    const query = isPrepared
      ? new PreparedQuery(nameOf(statement), statement, parameters)
      : new DriverQuery(statement, parameters);
    return this.#run(query).catch((error: Error) => {
      // One that leads back to who asked, not to the socket.
      Error.captureStackTrace(error);
      noteDatabaseError(error);
      if (databaseTrouble(error) === 'full') this.onFull?.();
      this.#isOutcomeUnknown ||= isAnswerLost(error) && this.#commits(statement);
      if (this.#isOutcomeUnknown) noteUnknownOutcome(error);
      this.#leaveAfter(error);
      throw error;
    });
  }

  #run(query: DriverQuery): Promise<unknown> {
    return new Promise((resolve, reject) => {
      // V8 puts a function that is written behind `query.callback =` into the old generation at once, and all that it refers to after it: so
      // the driver's own promise keeps the values of each query until the whole heap is collected.
      const callback = (error: Error | null, result: unknown): void => (error ? reject(error) : resolve(result));
      query.callback = callback;
      super.query(query as unknown as pg.Submittable);
    });
  }

  /**
   * Closes the connection after an error that makes it useless: the server takes no writes, still works on a statement that was
   * given up, or has prepared statements that no longer fit. The next user looks for the server again.
   */
  #leaveAfter(error: unknown): void {
    const isUseless = isTakingNoWrites(error) || isUnanswered(error) || isOutdatedPlan(error);
    const isGone = isUseless && !isOutdatedPlan(error);
    if (this.#place && (isGone || isAnswerLost(error))) this.#hosts?.isNot(this.#place);
    if (isUseless) this.end().catch(() => {});
  }

  /** Whether a statement commits, by the state that the server reported last: inside a transaction only its end does. */
  #commits(statement: string): boolean {
    return this.getTransactionStatus() === 'I' ? writes.test(statement) : /^\s*commit/i.test(statement);
  }
}

interface Connected {
  connection: { stream: Duplex };
}

interface Startup {
  getStartupConf(): Record<string, string>;
}

const nameOf = (statement: string): string => statement.slice(preparedMark.length, statement.indexOf('\n'));
/** Looked for in failed statements only. A word too many does no harm: it is always right to say that the outcome is unknown. */
const writes = /\b(insert\s+into|update|delete\s+from|merge\s+into|truncate|call)\b/i;
