import pg from 'pg';
import { databaseTrouble } from '../db/connect/failure.ts';

/** An item that failed even by itself, and why. */
export interface Failure<T> {
  item: T;
  error: Error;
}

type Work<T> = (items: T[]) => Promise<unknown>;
type Split<T> = (items: T[]) => T[][];

/**
 * Work on the rows of many owners at once, such as accounts, that one bad row must not fail for the others. It is tried with all
 * of them. If that fails, each owner's rows are tried by themselves, and if that fails, each row. Answers the rows that failed
 * even so; the caller puts them aside. `work` is a transaction or a statement of its own, so that a failure leaves nothing behind.
 *
 * If the database is away, or a table is missing, no row is to blame: then this throws, and nothing is put aside.
 */
export const splitOnFailure = <T>(items: T[], ownerOf: (item: T) => string, work: Work<T>): Promise<Failure<T>[]> =>
  items.length === 0 ? Promise.resolve([]) : attempt(items, work, [byOwner(ownerOf), byOne]);

/** The same, where all items together were already tried and failed. */
export const doApart = <T>(items: T[], ownerOf: (item: T) => string, work: Work<T>): Promise<Failure<T>[]> =>
  attemptParts(items, work, [byOwner(ownerOf), byOne]);

const byOwner =
  <T>(ownerOf: (item: T) => string): Split<T> =>
  (items) => [...Map.groupBy(items, ownerOf).values()];
const byOne = <T>(items: T[]): T[][] => items.map((item) => [item]);

async function attempt<T>(items: T[], work: Work<T>, splits: Split<T>[]): Promise<Failure<T>[]> {
  try {
    await work(items);
    return [];
  } catch (error) {
    if (isOurTrouble(error)) throw error;
    if (items.length === 1) return [{ item: items[0]!, error: error as Error }];
    return attemptParts(items, work, splits);
  }
}

async function attemptParts<T>(items: T[], work: Work<T>, [split, ...finer]: Split<T>[]): Promise<Failure<T>[]> {
  if (!split) return [];
  const parts = split(items);
  // A single part is the same set of items that has just failed.
  if (parts.length === 1 && finer.length > 0) return attemptParts(items, work, finer);
  const failures: Failure<T>[] = [];
  for (const part of parts) failures.push(...(await attempt(part, work, finer)));
  return failures;
}

/**
 * Whether trying fewer rows is of no use: the database is away, or a table, a right or the like is missing. A timeout or a lock
 * conflict is not such an error: a single row may have caused it.
 */
export function isOurTrouble(error: unknown): boolean {
  const trouble = databaseTrouble(error);
  if (trouble !== undefined) return trouble !== 'slow';
  return error instanceof pg.DatabaseError && /^(0A|28|3D|3F|42|58|XX)/.test(String(error.code));
}

/** Whether a row is bad for good, by its values: trying again would not help. */
export const isBadValue = (error: unknown): boolean =>
  error instanceof pg.DatabaseError
    ? /^(22|23)/.test(String(error.code))
    : error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError;

/** Waits for all of them, even if one fails, so that none goes on in the background. Then throws the first failure. */
export async function allDone(works: Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
