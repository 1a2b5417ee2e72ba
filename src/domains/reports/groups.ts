import { timestamp } from '../../platform/time/clock.ts';
import { weekdays } from '../../platform/time/week-hours.ts';
import type { KeptCount } from './day-queries.ts';
import { type DaySpan, daysOf, hourBounds, momentsOf, weekdayOf, weekOf } from './days.ts';
import type { Grouping, MetricRule } from './metrics.ts';
import { namesOf } from './metrics.ts';

/** How many, by status, and what was summed up of them. */
export interface Figures {
  count: number;
  counts: Record<string, number>;
  amount: number;
}

export const noFigures = (rule: MetricRule): Figures => ({
  count: 0,
  counts: Object.fromEntries(namesOf(rule).map((name) => [name, 0])),
  amount: 0,
});

/** Adds what was counted. A name of calls begins with their direction; of the others, if one is asked for, nothing counts. */
export function addCount(figures: Figures, rule: MetricRule, counted: KeptCount, direction?: string): void {
  const words = counted.name.split(' ');
  const name = words.at(-1)!;
  if (direction !== undefined && words.length > 1 && words[0] !== direction) return;
  if (!(name in figures.counts)) return;
  figures.counts[name]! += counted.count;
  if (!rule.statuses.includes(name)) return;
  figures.count += counted.count;
  figures.amount += counted.amount;
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
