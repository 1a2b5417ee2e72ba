import { dayStart, type Weekday, wallMoment, weekdays } from '../../platform/time/week-hours.ts';

/** Days of the calendar, `YYYY-MM-DD`, and the moments at which they begin in a zone. */

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** From one day to another, both included. */
export interface DaySpan {
  from: string;
  to: string;
}

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/** How many days it is from one to the other; the same day: 0. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs;

export const lengthOf = ({ from, to }: DaySpan): number => daysBetween(from, to) + 1;

export const daysOf = ({ from, to }: DaySpan): string[] =>
  Array.from({ length: Math.max(0, lengthOf({ from, to })) }, (_, index) => addDays(from, index));

export const weekdayOf = (day: string): Weekday => weekdays[(new Date(day).getUTCDay() + 6) % 7]!;

/** The Monday of the week. */
export const weekOf = (day: string): string => addDays(day, -weekdays.indexOf(weekdayOf(day)));

export const momentsOf = ({ from, to }: DaySpan, timeZone: string): { from: Date; to: Date } => ({
  from: dayStart(from, timeZone),
  to: dayStart(addDays(to, 1), timeZone),
});

/** The beginnings of the days of a span, and the end of the last one. */
export const dayBounds = (span: DaySpan, timeZone: string): Date[] =>
  [...daysOf(span), addDays(span.to, 1)].map((day) => dayStart(day, timeZone));

/**
 * The hours of a span: when each begins, and which one of its day it is, `00` to `23`. Where the clocks are put back an hour comes
 * twice, with the same name.
 */
export function hourBounds(span: DaySpan, timeZone: string): { bounds: Date[]; names: string[] } {
  const bounds: Date[] = [];
  const names: string[] = [];
  const days = dayBounds(span, timeZone);
  for (const [index, day] of days.slice(0, -1).entries()) {
    for (let ms = day.getTime(); ms < days[index + 1]!.getTime(); ms += hourMs) {
      const hour = Math.floor(wallMoment(new Date(ms), timeZone).minute / 60);
      bounds.push(new Date(ms));
      names.push(String(hour).padStart(2, '0'));
    }
  }
  return { bounds: [...bounds, days.at(-1)!], names };
}

export const todayIn = (timeZone: string, now: Date): string => wallMoment(now, timeZone).date;

export type Comparison = 'none' | 'previous' | 'year';

/** The span that another one is compared with. */
export function comparedSpan({ from, to }: DaySpan, compare: Exclude<Comparison, 'none'>): DaySpan {
  if (compare === 'previous') return { from: addDays(from, -lengthOf({ from, to })), to: addDays(from, -1) };
  return { from: yearBefore(from), to: yearBefore(to) };
}

/** The 29th of February has the 28th before it. */
function yearBefore(day: string): string {
  const [year = '', month, date] = day.split('-');
  const before = String(Number(year) - 1).padStart(4, '0');
  return `${before}-${month}-${month === '02' && date === '29' ? '28' : date}`;
}
