import type { PaceMark } from '../logs/queries.ts';

const markEveryMs = 5_000;
const spanMs = 60_000;

/** The marks with one for now, if the last is not too young; those that a minute does not need any more are dropped. */
export function withMark(marks: PaceMark[], nowMs: number, left: number): PaceMark[] {
  const last = marks.at(-1);
  if (last && nowMs - last[0] < markEveryMs) return marks;
  const firstNeeded = marks.findLastIndex(([at]) => at <= nowMs - spanMs);
  return [...marks.slice(Math.max(0, firstNeeded)), [nowMs, left]];
}

/** How many have left per second, in the last minute or since the start. */
export function paceOf(marks: PaceMark[], nowMs: number, left: number): number {
  const since = marks.findLast(([at]) => at <= nowMs - spanMs) ?? marks[0];
  if (!since || nowMs - since[0] < 1000) return 0;
  return Math.max(0, (left - since[1]) / ((nowMs - since[0]) / 1000));
}
