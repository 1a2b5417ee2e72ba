import { locale } from '../../parts/locale.ts';

const dayMs = 86_400_000;

/** The day of this moment in a zone: `2026-11-15`. */
export const dayOf = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);

/** The first of so many days of which the last is given. */
export const firstOf = (last: string, count: number): string =>
  new Date(Date.parse(last) - (count - 1) * dayMs).toISOString().slice(0, 10);

/** `Sun 15`, of a moment in that day. */
export function sayDay(timeZone: string): (at: string) => string {
  const format = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', timeZone });
  return (at) => format.format(new Date(at));
}

/** `14:00`. */
export function sayHour(timeZone: string): (at: string) => string {
  const format = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', timeZone });
  return (at) => format.format(new Date(at));
}

export const sum = (counts: object): number =>
  Object.values(counts).reduce((total: number, count) => total + Number(count), 0);
