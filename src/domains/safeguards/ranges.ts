import type { Deps } from '../../deps.ts';
import { rangeOf } from './destination.ts';
import { closedKey, windowOf } from './policy.ts';
import { noteSeen, type Seen } from './queries.ts';
import type { Counted } from './reserve.ts';
import { heldRange, type Refusal, type Sending } from './rules.ts';

const numbersInRange = 1000;

/** A bit for each number of a range, set for these. */
export function maskOf(numbers: Iterable<string>): string {
  const set = new Set([...numbers].map((digits) => Number(digits.slice(-3))));
  return Array.from({ length: numbersInRange }, (_, number) => (set.has(number) ? '1' : '0')).join('');
}

/** Notes which numbers of ranges are sent SMS; refuses those that make a range look pumped. */
export async function watchRanges<S extends Sending>(
  { db }: Pick<Deps, 'db'>,
  counted: Counted<S>[],
  now: Date,
): Promise<Map<S, Refusal>> {
  const refusals = new Map<S, Refusal>();
  const watched = counted.flatMap(({ sending, policy }) => {
    const range = rangeOf(sending.digits);
    const most = policy.settings.pumping_recipients;
    const isWatched =
      sending.channel === 'SMS' &&
      range !== undefined &&
      most !== null &&
      !policy.openRanges.has(closedKey('SMS', range));
    return isWatched ? [{ sending, range, most }] : [];
  });
  if (watched.length === 0) return refusals;
  const byRange = Map.groupBy(watched, ({ sending, range }) => `${sending.accountId} ${range}`);
  const windowStart = windowOf('HOUR', now).start;
  const seen = [...byRange.values()].map((some): Seen => {
    const { sending, range } = some[0]!;
    const mask = maskOf(some.map(({ sending }) => sending.digits));
    return { accountId: sending.accountId, range, windowStart, mask };
  });
  const counts = await noteSeen(db, seen);
  for (const [name, some] of byRange) {
    const { range, most } = some[0]!;
    if ((counts.get(name) ?? 0) < most) continue;
    for (const { sending } of some) refusals.set(sending, heldRange('PUMPING', range));
  }
  return refusals;
}
