/** Where the program reads the time, so that tests and the sandbox can move it. */
export interface Clock {
  now(): Date;
}

/**
 * Milliseconds since 1970 that never jump: the machine's clock as it stood when the process started, counted on by the monotonic
 * one. For limits, ages and deadlines, which setting the machine's clock must not shorten or lengthen.
 */
export const steadyMs = (): number => Math.floor(performance.timeOrigin + performance.now());

/** How far the process's time is from `steadyMs`. The only state of the clock; `db/clock.ts` keeps it with the database's clock. */
let correctionMs = 0;

/** The process's time, in milliseconds since 1970. */
export const systemMs = (): number => steadyMs() + correctionMs;

/** The same with its fraction, for what takes less than a millisecond. */
export const exactMs = (): number => performance.timeOrigin + performance.now() + correctionMs;

/** The process's time: the database's clock, where there is one, and never one that a step of the machine's clock moves. */
export const systemClock: Clock = { now: () => new Date(systemMs()) };

/** Sets the process's time from what it is now. */
export function correctSystemClock(byMs: number): void {
  correctionMs += byMs;
}

const digits = (value: number, width: number) => String(value).padStart(width, '0');

/** The API's form of a moment: UTC, always six fractional digits. A Date knows milliseconds only; the rest are zeros. */
export function timestamp(date: Date): string {
  const iso = date.toISOString();
  return `${iso.slice(0, -1)}000Z`;
}

/**
 * PostgreSQL's text form (`2026-11-15 09:30:00.12+00`, session time zone UTC) to the API's form
 * (`2026-11-15T09:30:00.120000Z`). Done on text because a JavaScript Date would lose the microseconds. What has no four digits
 * for its year becomes the first or last moment that has: one such row must not break a whole list.
 */
export function timestampFromDatabase(text: string): string {
  if (text.endsWith('infinity')) return text;
  if (text.endsWith(' BC')) return '0001-01-01T00:00:00.000000Z';
  const match = /^(\d{4,})-(\d\d)-(\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/.exec(text);
  if (!match) throw new Error(`Unexpected timestamp from the database: ${text}`);
  const [, year, month, day, time, fraction = ''] = match;
  if (Number(year) > 9999) return '9999-12-31T23:59:59.999999Z';
  return `${digits(Number(year), 4)}-${month}-${day}T${time}.${fraction.padEnd(6, '0')}Z`;
}

const dayMs = 86_400_000;
/** Before it, none of the platforms that we hear from was there. */
const earliestMs = Date.UTC(2009, 0, 1);

/**
 * Whether a moment that somebody outside tells can be one: they tell what happened, so it is not long ahead of our own clock.
 * What is counted on from a far one, such as a day in which a person may be answered, cannot be stored any more.
 */
export const isPlausible = (atMs: number, nowMs = Date.now()): boolean => atMs >= earliestMs && atMs <= nowMs + dayMs;
