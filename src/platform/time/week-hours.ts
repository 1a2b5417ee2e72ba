import { Type } from 'typebox';
import { stretchOf } from './quiet-hours.ts';

/** Hours that repeat every week, by the clocks of a zone: when somebody works, when a business is open. */

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Weekday = (typeof weekdays)[number];

export interface HoursWindow {
  /** `HH:MM`; from this minute on. */
  start: string;
  /** Until just before this minute. Not later than the start: of the next day. */
  end: string;
}
export type WeekHours = Partial<Record<Weekday, HoursWindow[]>>;

const clockTime = { pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', 'x-message': 'Enter a time as HH:MM.' };
export const HoursWindow = Type.Object(
  { start: Type.String(clockTime), end: Type.String(clockTime) },
  {
    title: 'HoursWindow',
    description: 'From `start` until just before `end`; an end that is not later than the start is on the next day.',
  },
);
const DayHours = Type.Optional(Type.Array(HoursWindow, { maxItems: 10 }));
export const WeekHours = Type.Object(
  Object.fromEntries(weekdays.map((day) => [day, DayHours])) as Record<Weekday, typeof DayHours>,
  { title: 'WeekHours', description: 'Windows for each day of the week. A day that is left out has none.' },
);

const minuteMs = 60_000;
const dayMinutes = 24 * 60;
const longestClosedMs = 8 * dayMinutes * minuteMs;

/** A moment as people in a zone read it off the wall and the calendar. */
export interface WallMoment {
  /** `YYYY-MM-DD` */
  date: string;
  weekday: Weekday;
  /** Since midnight. */
  minute: number;
}

export function wallMoment(at: Date, timeZone: string): WallMoment {
  const ms = at.getTime();
  const wall = new Date(ms + stretchOf(ms, timeZone).aheadMs);
  return {
    date: wall.toISOString().slice(0, -14),
    // Sunday is 0 there.
    weekday: weekdays[(wall.getUTCDay() + 6) % 7]!,
    minute: wall.getUTCHours() * 60 + wall.getUTCMinutes(),
  };
}

/** When a day (`YYYY-MM-DD`) begins in a zone. */
export function dayStart(date: string, timeZone: string): Date {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const guess = midnight - stretchOf(midnight, timeZone).aheadMs;
  return new Date(midnight - stretchOf(guess, timeZone).aheadMs);
}

/** Whether a minute of a day is in a window that starts on the same day, or started on the day before. */
export const isInWindow = ({ start, end }: HoursWindow, minute: number, { dayBefore = false } = {}): boolean => {
  const [from, until] = [minutesOf(start), minutesOf(end)];
  if (dayBefore) return until <= from && minute < until;
  return minute >= from && (minute < until || until <= from);
};

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** Whether a moment is within the hours. A window that passes midnight belongs to the day on which it starts. */
export function isWithin(hours: WeekHours, timeZone: string, at: Date): boolean {
  const { weekday, minute } = wallMoment(at, timeZone);
  const before = weekdays[(weekdays.indexOf(weekday) + 6) % 7]!;
  return (
    (hours[weekday] ?? []).some((window) => isInWindow(window, minute)) ||
    (hours[before] ?? []).some((window) => isInWindow(window, minute, { dayBefore: true }))
  );
}

/** The moment at which so many minutes of the hours have passed; undefined: they never will. */
export function afterOpenMinutes(hours: WeekHours, timeZone: string, from: Date, minutes: number): Date | undefined {
  const marks = marksOf(hours);
  let leftMs = minutes * minuteMs;
  let moment = from.getTime();
  let openUntil = moment;
  while (moment - openUntil <= longestClosedMs) {
    const next = nextMark(marks, moment, timeZone);
    if (isWithin(hours, timeZone, new Date(moment))) {
      if (moment + leftMs <= next) return new Date(moment + leftMs);
      leftMs -= next - moment;
      openUntil = next;
    }
    moment = next;
  }
  return undefined;
}

/** The minutes of a day at which something may open or close. */
const marksOf = (hours: WeekHours): number[] =>
  Object.values(hours)
    .flatMap((windows) => windows.flatMap(({ start, end }) => [minutesOf(start), minutesOf(end)]))
    .concat(dayMinutes)
    .toSorted((a, b) => a - b);

/** Where the clocks are changed, what is on the wall is read anew. */
function nextMark(marks: number[], moment: number, timeZone: string): number {
  const { aheadMs, untilMs } = stretchOf(moment, timeZone);
  const dayMs = dayMinutes * minuteMs;
  const sinceMidnight = (((moment + aheadMs) % dayMs) + dayMs) % dayMs;
  const mark = marks.find((minute) => minute * minuteMs > sinceMidnight)!;
  return Math.min(moment + mark * minuteMs - sinceMidnight, untilMs);
}
