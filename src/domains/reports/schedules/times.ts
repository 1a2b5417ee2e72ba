import { type Weekday, wallMoment } from '../../../platform/time/week-hours.ts';
import { nextDigest } from '../../insights/index.ts';
import { addDays, type DaySpan } from '../days.ts';

/** When a report is made, and of which days. */
export interface Rhythm {
  every: 'day' | 'week' | 'month';
  /** Of a weekly one. */
  weekday: Weekday;
  hour: number;
  /** How many days before; null: as many as the rhythm has. */
  days: number | null;
}

/** The next moment after now at which it is due: every day, on a weekday, or on the first of the month, at its hour in the zone. */
export function nextDue(now: Date, { every, weekday, hour }: Rhythm, timeZone: string): Date {
  let due = nextDigest(now, hour, timeZone);
  const fits = (): boolean => {
    const wall = wallMoment(due, timeZone);
    if (every === 'week') return wall.weekday === weekday;
    return every === 'day' || wall.date.endsWith('-01');
  };
  while (!fits()) due = nextDigest(due, hour, timeZone);
  return due;
}

/** The days that a report tells of which is made on a day: those before it. */
export function spanBefore(today: string, { every, days }: Rhythm): DaySpan {
  const to = addDays(today, -1);
  if (days !== null) return { from: addDays(today, -days), to };
  if (every === 'day') return { from: to, to };
  if (every === 'week') return { from: addDays(today, -7), to };
  const last = addDays(`${today.slice(0, 8)}01`, -1);
  return { from: `${last.slice(0, 8)}01`, to: last };
}
