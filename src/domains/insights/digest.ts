import type { Deps } from '../../deps.ts';
import { nextAllowed } from '../../platform/time/quiet-hours.ts';
import { within } from '../../platform/within.ts';
import { announce } from '../webhooks/index.ts';
import { readInsights } from './figures.ts';
import { lockDueDigestsAnyAccount, setDigestDue } from './queries.ts';

const minuteMs = 60_000;
/** A day has 25 hours at most; the digest before the last one is longer ago. */
const aDayAgoMs = 25.5 * 60 * minuteMs;

/** The next moment after now at which it is so many hours in a zone. */
export function nextDigest(now: Date, hour: number, timeZone: string): Date {
  const time = String(hour).padStart(2, '0');
  const later = new Date(now.getTime() + minuteMs);
  const found = nextAllowed(later, { start: `${time}:01`, end: `${time}:00` }, timeZone).getTime();
  return new Date(Math.floor(found / minuteMs) * minuteMs);
}

/** The digest before the one that is due at a moment: from then on it tells. */
export const digestBefore = (dueAt: Date, hour: number, timeZone: string): Date =>
  nextDigest(new Date(dueAt.getTime() - aDayAgoMs), hour, timeZone);

/**
 * Sends a digest that is due: the figures since the one before. The note of the next one is in the same transaction, so a
 * day's digest is sent once. One that is late by more than a day (nothing ran) is made up for by the last day alone.
 */
export const sendDigest = (deps: Deps): Promise<boolean> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const now = deps.clock.now();
    const [config] = await lockDueDigestsAnyAccount(db, now, 1);
    if (!config) return false;
    const { account_id: accountId, digest_hour: hour, zone } = config;
    const next = nextDigest(now, hour, zone);
    const to = digestBefore(next, hour, zone);
    const figures = await readInsights(db, accountId, { from: digestBefore(to, hour, zone), to });
    await announce(db, deps, [{ accountId, type: 'insight.digest', data: figures }]);
    await setDigestDue(db, accountId, next);
    return true;
  });
