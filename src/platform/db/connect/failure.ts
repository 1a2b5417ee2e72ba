import pg from 'pg';

/**
 * Tells failures of our own database from all others. The pool notes its errors here as they are thrown (see `pool.ts`), because a
 * broken connection has the same code, ECONNRESET, whichever server it led to.
 */

const noted = Symbol('from the database');
const crowded = Symbol('no connection was free');
const unknownOutcome = Symbol('nobody knows whether it was committed');

/** Marks an error for those who catch it; no log shows the mark. */
function mark(error: unknown, symbol: symbol): void {
  if (typeof error === 'object' && error !== null && Object.isExtensible(error))
    Object.defineProperty(error, symbol, { value: true });
}
const isMarked = (error: unknown, symbol: symbol): boolean =>
  typeof error === 'object' && error !== null && symbol in error;

/** For the pool: this error comes from the database, or from the way to it. */
export const noteDatabaseError = (error: unknown): void => mark(error, noted);

/** For the pool: no connection became free. */
export function noteCrowding(error: object): void {
  mark(error, noted);
  mark(error, crowded);
}

/** For the pool: the connection broke while something was being committed, so nobody here knows whether it was. */
export const noteUnknownOutcome = (error: unknown): void => mark(error, unknownOutcome);

/** Whether an error is our own database's, of whatever kind: never a carrier's, a receiver's or a client's fault. */
export const isDatabaseError = (error: unknown): boolean => error instanceof pg.DatabaseError || isMarked(error, noted);

/**
 * Why the database cannot do its work for the moment, if that is what an error says.
 * - `away`: it cannot be reached, starts up, shuts down, or takes no writes.
 * - `crowded`: it has no connection, or no memory, left.
 * - `full`: it has no room left on its disk.
 * - `slow`: it was waited for long enough: a lock, a timeout, transactions that stand in each other's way; or a table was changed below a
 *   prepared statement, which the next connection prepares anew.
 */
export type DatabaseTrouble = 'away' | 'crowded' | 'full' | 'slow';

/** By SQLSTATE, or its first characters. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const troubles: [start: string, trouble: DatabaseTrouble][] = [
  ['08', 'away'],
  ['57P', 'away'],
  // read_only_sql_transaction: after a failover, connections to what is a replica now.
  ['25006', 'away'],
  ['53300', 'crowded'],
  ['53100', 'full'],
  // Out of memory, or at a limit of the system, such as files.
  ['53', 'crowded'],
  ['57014', 'slow'],
  ['55P03', 'slow'],
  // Transactions that were open, or idle, for too long.
  ['25P03', 'slow'],
  ['25P04', 'slow'],
  // Deadlocks and conflicts.
  ['40', 'slow'],
];

/** Errors of the system about a socket. */
const brokenSocket = /^(ECONN|ENOENT$|ETIMEDOUT$|EPIPE$|EHOSTUNREACH$|ENETUNREACH$|ENOTFOUND$|EAI_AGAIN$|EACCES$)/;
/** Errors of the driver that have no code: the connection broke, or could not be made. */
const brokenConnection = /^(Connection terminated|timeout expired|Cannot use a pool)/;
/** The pool's error when all its connections were in use for as long as anybody waits. */
const allInUse = /^timeout exceeded when trying/;
const notSent = /^Client (has|was) .*not queryable/;
/** Kysely's own words. */
const released = /^(Postgres connection has been discarded|driver has already been destroyed)/;
const noAnswer = /^Query read timeout/;

export function databaseTrouble(error: unknown): DatabaseTrouble | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (isOutdatedPlan(error)) return 'slow';
  if (error instanceof pg.DatabaseError) return troubles.find(([start]) => String(code).startsWith(start))?.[1];
  const words = String(message);
  if (released.test(words)) return 'away';
  if (!isMarked(error, noted)) return undefined;
  if (isMarked(error, crowded) || allInUse.test(words)) return 'crowded';
  if (code === '25006') return 'away';
  if (brokenSocket.test(String(code)) || brokenConnection.test(words) || notSent.test(words)) return 'away';
  return noAnswer.test(words) ? 'slow' : undefined;
}

/** Whether the connection broke after a statement was sent, so that its answer cannot come any more. */
export const isAnswerLost = (error: unknown): boolean =>
  error instanceof pg.DatabaseError
    ? /^(08|57P)/.test(String(error.code))
    : databaseTrouble(error) === 'away' && !notSent.test(String((error as Error).message));

/** Whether the server is a standby: a connection from before a failover, or one that came too early. */
export const isTakingNoWrites = (error: unknown): boolean => (error as { code?: unknown })?.code === '25006';

/** Whether a table was changed since the statement was prepared: by a newer version, which migrates while this one serves. */
export const isOutdatedPlan = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '0A000' && /^cached plan must not change/.test(error.message);

/** Whether a row to refer to does not exist, because somebody deleted it after it was looked up. */
export const isReferenceGone = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '23503' && error.message.startsWith('insert or update');

/** Whether we gave up waiting for a statement that the server may still be working on. */
export const isUnanswered = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) && noAnswer.test(String((error as Error)?.message));

/** Whether the same work may succeed later: the database is away, crowded, full or slow. */
export const isDatabaseAway = (error: unknown): boolean => databaseTrouble(error) !== undefined;

/**
 * Whether the connection broke while a COMMIT, or a statement that writes and commits by itself, was under way: it may have been
 * carried out or not.
 */
export const isOutcomeUnknown = (error: unknown): boolean => isMarked(error, unknownOutcome);
