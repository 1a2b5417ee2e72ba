import { timestamp } from '../../platform/time/clock.ts';
import { dayStart, type Weekday, wallMoment, weekdays } from '../../platform/time/week-hours.ts';
import type { Grouping } from './metrics.ts';

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

const weekdayOf = (day: string): Weekday => weekdays[(new Date(day).getUTCDay() + 6) % 7]!;

/** The Monday of the week. */
const weekOf = (day: string): string => addDays(day, -weekdays.indexOf(weekdayOf(day)));

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

/** A piece of time that a row of a report stands for: from a moment until just before another. */
export interface Piece {
  key: string;
  from: string | null;
  to: string | null;
}

/** The pieces of a span, one after the other, whether anything happened in them or not; undefined: the rows are not pieces of time. */
export function piecesOf(grouping: Grouping, span: DaySpan, timeZone: string): Piece[] | undefined {
  switch (grouping) {
    case 'hour':
      return hoursOf(span, timeZone);
    case 'day':
    case 'week':
    case 'month':
      return daysTogether(grouping, span, timeZone);
    case 'weekday':
      return weekdays.map((key) => ({ key, from: null, to: null }));
    case 'hour_of_day':
      return Array.from({ length: 24 }, (_, hour) => ({ key: String(hour).padStart(2, '0'), from: null, to: null }));
    default:
      return undefined;
  }
}

function daysTogether(grouping: 'day' | 'week' | 'month', span: DaySpan, timeZone: string): Piece[] {
  const byKey = new Map<string, DaySpan>();
  for (const day of daysOf(span)) {
    const key = pieceOf(grouping, day, '');
    byKey.set(key, { from: byKey.get(key)?.from ?? day, to: day });
  }
  return [...byKey].map(([key, days]) => {
    const { from, to } = momentsOf(days, timeZone);
    return { key, from: timestamp(from), to: timestamp(to) };
  });
}

function hoursOf(span: DaySpan, timeZone: string): Piece[] {
  return daysOf(span).flatMap((day) => {
    const { bounds, names } = hourBounds({ from: day, to: day }, timeZone);
    const pieces = new Map<string, Piece>();
    for (const [index, name] of names.entries()) {
      const key = pieceOf('hour', day, name);
      const from = pieces.get(key)?.from ?? timestamp(bounds[index]!);
      pieces.set(key, { key, from, to: timestamp(bounds[index + 1]!) });
    }
    return [...pieces.values()];
  });
}

/** The piece that a count belongs to. */
export function pieceOf(grouping: Grouping, day: string, key: string): string {
  switch (grouping) {
    case 'hour':
      return `${day}T${key}:00`;
    case 'day':
      return day;
    case 'week':
      return weekOf(day);
    case 'month':
      return day.slice(0, 7);
    case 'weekday':
      return weekdayOf(day);
    default:
      return key;
  }
}
