import type { Deps } from '../../deps.ts';
import { rangeOf } from './destination.ts';
import { type Channel, closedKey, type Policy, windowOf } from './policy.ts';
import { markPasswords, noteSeen, type PasswordRange, type Seen, sumPasswords, sumsKey } from './range-queries.ts';
import type { Counted } from './reserve.ts';
import { heldRange, type Refusal, type Sending } from './rules.ts';

const numbersInRange = 1000;

/** A bit for each number of a range, set for these. */
function maskOf(numbers: Iterable<string>): string {
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

const slotMs = 5 * 60_000;
const slotsInHour = 12;

/** When the five minutes began that a moment is in. */
const slotOf = (moment: Date): Date => new Date(Math.floor(moment.getTime() / slotMs) * slotMs);

/** An hour that ends five to ten minutes ago: people may still be typing what was sent since. */
function judgedHour(now: Date): { from: Date; before: Date } {
  const beforeMs = slotOf(now).getTime() - slotMs;
  return { from: new Date(beforeMs - slotsInHour * slotMs), before: new Date(beforeMs) };
}

/** What an account expects of its one-time passwords; undefined: nothing, or it never said that one was used. */
const expectedOf = ({ settings, givesFeedback }: Policy) =>
  (givesFeedback ? settings.otp_conversion : undefined) ?? undefined;

const isUnused = (
  { sent, used }: { sent: number; used: number },
  expected: NonNullable<ReturnType<typeof expectedOf>>,
) => sent >= expected.min_recipients && used * 100 < expected.min_percent * sent;

interface Watched<S extends Sending> extends PasswordRange {
  sending: S;
  policy: Policy;
}

const watchedOf = <S extends Sending>(counted: Counted<S>[]): Watched<S>[] =>
  counted.flatMap(({ sending, policy }) => {
    const range = rangeOf(sending.digits);
    if (!sending.expectsFeedback || range === undefined || !expectedOf(policy)) return [];
    return [{ accountId: sending.accountId, channel: sending.channel, range, sending, policy }];
  });

const uniqueRanges = (watched: PasswordRange[]): PasswordRange[] => [
  ...new Map(watched.map((one) => [sumsKey(one), one])).values(),
];

/** Refuses one-time passwords to ranges whose numbers do not use theirs. */
export async function watchPasswords<S extends Sending>(
  { db }: Pick<Deps, 'db'>,
  counted: Counted<S>[],
  now: Date,
): Promise<Map<S, Refusal>> {
  const watched = watchedOf(counted).filter(
    ({ channel, range, policy }) => !policy.openRanges.has(closedKey(channel, range)),
  );
  if (watched.length === 0) return new Map();
  const sums = await sumPasswords(db, uniqueRanges(watched), judgedHour(now));
  return new Map(
    watched.flatMap((one): [S, Refusal][] => {
      const sum = sums.get(sumsKey(one));
      return sum && isUnused(sum, expectedOf(one.policy)!)
        ? [[one.sending, heldRange('OTP_CONVERSION', one.range)]]
        : [];
    }),
  );
}

/** Notes the one-time passwords that leave. */
export async function notePasswords<S extends Sending>(
  { db }: Pick<Deps, 'db'>,
  counted: Counted<S>[],
  now: Date,
): Promise<void> {
  const byRange = Map.groupBy(watchedOf(counted), sumsKey);
  if (byRange.size === 0) return;
  const windowStart = slotOf(now);
  const marks = [...byRange.values()].map((some) => {
    const { accountId, channel, range } = some[0]!;
    return { accountId, channel, range, windowStart, mask: maskOf(some.map(({ sending }) => sending.digits)) };
  });
  await markPasswords(db, 'sent', marks);
}

/** Notes that a one-time password was used. */
export async function noteUsed(
  { db }: Pick<Deps, 'db'>,
  policy: Policy | undefined,
  { accountId, channel, digits, sentAt }: { accountId: string; channel: Channel; digits: string; sentAt: Date },
  now: Date,
): Promise<void> {
  const range = rangeOf(digits);
  const windowStart = slotOf(sentAt);
  if (!policy || range === undefined || !expectedOf(policy) || windowStart < judgedHour(now).from) return;
  await markPasswords(db, 'used', [{ accountId, channel, range, windowStart, mask: maskOf([digits]) }]);
}

/** What is known of the range of a number, and whether a one-time password to it would be refused. */
export async function explainPasswords(
  { db }: Pick<Deps, 'db'>,
  policy: Policy,
  { accountId, channel, digits, expectsFeedback }: Sending,
  now: Date,
): Promise<{ sum: { sent: number; used: number } | undefined; refusals: Refusal[] }> {
  const range = rangeOf(digits);
  const expected = expectedOf(policy);
  if (range === undefined || !expected) return { sum: undefined, refusals: [] };
  const place = { accountId, channel, range };
  const sum = (await sumPasswords(db, [place], judgedHour(now))).get(sumsKey(place)) ?? { sent: 0, used: 0 };
  const key = closedKey(channel, range);
  const isOpen = policy.openRanges.has(key) || policy.closedRanges.has(key);
  const isRefused = expectsFeedback && !isOpen && isUnused(sum, expected);
  return { sum, refusals: isRefused ? [heldRange('OTP_CONVERSION', range)] : [] };
}
