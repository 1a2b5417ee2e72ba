import { timestamp } from '../../../platform/time/clock.ts';
import type { History, PaceMark } from '../logs/queries.ts';

const markEveryMs = 5_000;
const spanMs = 60_000;

/** Adds a mark for now, unless the last mark is very recent, and drops those that are older than a minute needs. */
export function withMark(marks: PaceMark[], nowMs: number, left: number): PaceMark[] {
  const last = marks.at(-1);
  if (last && nowMs - last[0] < markEveryMs) return marks;
  // After a rest, such as a night, what was before says nothing any more.
  if (!last || nowMs - last[0] > spanMs) return [[nowMs, left]];
  const firstNeeded = marks.findLastIndex(([at]) => at <= nowMs - spanMs);
  return [...marks.slice(Math.max(0, firstNeeded)), [nowMs, left]];
}

/** How many have left per second, in the last minute or since the start. */
export function paceOf(marks: PaceMark[], nowMs: number, left: number): number {
  const since = marks.findLast(([at]) => at <= nowMs - spanMs) ?? marks[0];
  if (!since || nowMs - since[0] < 1000) return 0;
  return Math.max(0, (left - since[1]) / ((nowMs - since[0]) / 1000));
}

/** Spans become twice as long when there would be more of them. */
const mostSpans = 120;
const minuteMs = 60_000;

const beginOf = (ms: number, minutes: number): number => ms - (ms % (minutes * minuteMs));

/** Adds what has left by now to the history, which keeps at most so many spans. */
export function withSpan(history: History, nowMs: number, left: number): History {
  const firstMs = history.marks[0]?.[0] ?? nowMs;
  let { minutes } = history;
  while (beginOf(nowMs, minutes) - beginOf(firstMs, minutes) >= mostSpans * minutes * minuteMs) minutes *= 2;
  // Of several marks in one span, the last is its end.
  const marks = new Map(history.marks.map(([at, count]) => [beginOf(at, minutes), count]));
  return { minutes, marks: [...marks.set(beginOf(nowMs, minutes), left)] };
}

/** How many left per minute in each span, those included in which nothing did. What has left since counts in the last one. */
export function rateHistoryOf({ minutes, marks }: History, left: number): { at: string; per_minute: number }[] {
  if (marks.length === 0) return [];
  const ends = new Map([...marks, [marks.at(-1)![0], left]] as const);
  const points: { at: string; per_minute: number }[] = [];
  let before = 0;
  for (let at = marks[0]![0]; at <= marks.at(-1)![0]; at += minutes * minuteMs) {
    const end = Math.max(before, ends.get(at) ?? before);
    points.push({ at: timestamp(new Date(at)), per_minute: Math.round(((end - before) / minutes) * 10) / 10 });
    before = end;
  }
  return points;
}
