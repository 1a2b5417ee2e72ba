const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long to wait after each failed attempt; after the last one the delivery has failed. In all a little over three days. */
const pausesMs = [
  5 * second,
  minute,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** An endpoint that asks for more is asked again after a day. */
const longestRetryAfterMs = 24 * hour;
/** How long an endpoint is left alone that says it has too much to do, but not until when. */
const slowDownMs = 5 * second;
/** An endpoint is disabled after this long with nothing but failures. */
export const longestFailingMs = 5 * 24 * hour;

/** When to try again after so many attempts; null: never. Up to a fifth later, so that many do not come back together. */
export function nextAttempt(attempts: number, now: Date, random: () => number = Math.random): Date | null {
  const pauseMs = pausesMs[attempts - 1];
  return pauseMs === undefined ? null : new Date(now.getTime() + pauseMs * (1 + random() * 0.2));
}

/** Until when an endpoint wants to be left alone, by its answer; null: it did not say so. */
export function slowDownUntil(status: number, retryAfter: string | undefined, now: Date): Date | null {
  const afterMs = readRetryAfterMs(retryAfter, now);
  if (status === 429 || status === 503) return new Date(now.getTime() + (afterMs ?? slowDownMs));
  if (status === 502 || status === 504) return new Date(now.getTime() + slowDownMs);
  return null;
}

/** RFC 9110, 10.2.3: seconds, or a date. */
function readRetryAfterMs(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * second : Date.parse(value) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), longestRetryAfterMs);
}
