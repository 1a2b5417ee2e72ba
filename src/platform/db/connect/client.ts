import type { Duplex } from 'node:stream';
import { CompiledQuery, type Kysely } from 'kysely';
import pg from 'pg';
import { parameterOf } from '../arrays.ts';
import { isDistributed } from '../distribute/layout.ts';
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

/**
 * A statement that PostgreSQL parses and plans once per connection, and that is not put together again each time either.
 * Worth it for what runs for every batch of messages.
 */
export function prepared<Row>(
  name: string,
  text: string,
  /** What a distributed database is asked instead. */
  distributedText = text,
): (db: Kysely<DB>, parameters: unknown[]) => Promise<Row[]> {
  const marked = markPrepared(name, text);
  const markedDistributed = markPrepared(name, distributedText);
  return async (db, parameters) => {
    const statement = isDistributed() ? markedDistributed : marked;
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(statement, parameters.map(parameterOf)));
    return rows;
  };
}
const preparedMark = '-- prepared: ';

/** The text by which a client knows that it is to prepare a statement. */
export const markPrepared = (name: string, text: string): string => `${preparedMark}${name}\n${text}`;

/** The same for a statement that is put together each time, to the same text: what runs for every request or message of a quiet account. */
export async function runPrepared<Row>(db: Kysely<DB>, name: string, query: Query<Row>): Promise<Row[]> {
  const { sql, parameters } = query.compile(db);
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(markPrepared(name, sql), [...parameters]));
  return rows;
}

/** One of the query builder's, or a template. */
interface Query<Row> {
  compile(db: Kysely<DB>): CompiledQuery<Row>;
}

export interface ClientOptions extends pg.ClientConfig {
  /** Connect to the one of them that takes writes. */
  hosts?: Hosts;
  /** The next statement may go by another server connection, which knows of no prepared statement. */
  isPooled?: boolean;
}

/** Prepares what is to be prepared, finds the server that takes writes, and says of errors that they are the database's (see `failure.ts`). */
export class DatabaseClient extends pg.Client {
  /** Something was being committed when the connection broke. What fails on it from then on is part of the same failure. */
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

  /** Ends without a word to the server: whatever is under way fails as when the connection breaks. */
  cut(): void {
    (this as unknown as Connected).connection.stream.destroy();
  }

  /** A pooler takes no `options`; of the settings in them it knows the time zone. */
  getStartupConf(): Record<string, string> {
    const settings = (pg.Client.prototype as unknown as Startup).getStartupConf.call(this);
    return this.#isPooled ? { ...settings, timezone: 'UTC' } : settings;
  }

  // biome-ignore lint/suspicious/noExplicitAny: passes on whatever the driver takes, and answers what it answers
  override query(statement: any, ...rest: any[]): any {
    if (typeof statement !== 'string') return super.query(statement, ...(rest as []));
    const isPrepared = statement.startsWith(preparedMark) && !this.#isPooled;
    const answer = isPrepared
      ? super.query({ name: nameOf(statement), text: statement, values: rest[0] })
      : super.query(statement, ...(rest as []));
    return (answer as Promise<unknown> | undefined)?.catch((error: unknown) => {
      noteDatabaseError(error);
      if (databaseTrouble(error) === 'full') this.onFull?.();
      this.#isOutcomeUnknown ||= isAnswerLost(error) && this.#commits(statement);
      if (this.#isOutcomeUnknown) noteUnknownOutcome(error);
      this.#leaveAfter(error);
      throw error;
    });
  }

  /**
   * Nobody uses a connection again whose server takes no writes, still works on what was given up, or has prepared what does not fit any
   * more; whoever comes next looks again.
   */
  #leaveAfter(error: unknown): void {
    const isUseless = isTakingNoWrites(error) || isUnanswered(error) || isOutdatedPlan(error);
    const isGone = isUseless && !isOutdatedPlan(error);
    if (this.#place && (isGone || isAnswerLost(error))) this.#hosts?.isNot(this.#place);
    if (isUseless) this.end().catch(() => {});
  }

  /** By what the server said last: inside a transaction only its end commits. */
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
/** Looked for in statements that failed only. A word too many costs nothing: that the outcome is unknown is always true. */
const writes = /\b(insert\s+into|update|delete\s+from|merge\s+into|truncate|call)\b/i;
