import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { type PoolEntry, readPoolEntry } from './entry.ts';
import { foreseeEntries, putEntries } from './fill-queries.ts';
import type { PoolFillResult } from './schemas.ts';

/** Reading a number takes about 40 µs: after so many, others have their turn. */
const atOnce = 250;

/**
 * Puts numbers into the pool: those that are new are added, those that nobody has get what is now said of them. The same
 * again changes nothing. National numbers are those of an item's country, else of the given one. Bad items are reported, good ones stored. Of a number that is given twice the last item counts.
 */
export async function fillPool(
  db: Db,
  items: readonly unknown[],
  { dryRun = false, country }: { dryRun?: boolean; country: string },
): Promise<PoolFillResult> {
  const entries = new Map<string, PoolEntry>();
  const errors: PoolFillResult['errors'] = [];
  for (const [index, item] of items.entries()) {
    if (index % atOnce === atOnce - 1) await setImmediate();
    const read = readPoolEntry(item, country);
    if (typeof read === 'string') errors.push({ index, number: numberOf(item), error: read });
    else entries.set(read.digits, read);
  }
  const { added, updated } = await (dryRun ? foreseeEntries : putEntries)(db, [...entries.values()]);
  return { added, updated, unchanged: items.length - errors.length - added - updated, errors };
}

const longestEcho = 64;

function numberOf(item: unknown): string {
  const { number } = item as { number?: unknown };
  return typeof number === 'string' || typeof number === 'number'
    ? String(number).slice(0, longestEcho).toWellFormed()
    : '';
}
