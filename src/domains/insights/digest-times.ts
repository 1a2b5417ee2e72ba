import { nextAllowed } from '../../platform/time/quiet-hours.ts';

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
