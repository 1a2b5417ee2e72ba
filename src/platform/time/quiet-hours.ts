/** Hours in which people are left alone, by their own clock. */
export interface QuietHours {
  /** `HH:MM`; from this minute on. */
  start: string;
  /** Until just before this minute. Earlier than the start: of the next day. The same as the start: never quiet. */
  end: string;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Days that are remembered of a zone before it starts anew. */
const mostDays = 400;

/** A day of UTC in a zone: how far its clocks are ahead, and where they are changed, from which moment on by how much. */
interface ZoneDay {
  aheadMs: number;
  changeMs: number;
  thenAheadMs: number;
}

/** The first moment from now on that is not in the hours; now itself, if it is not. */
export function nextAllowed(now: Date, { start, end }: QuietHours, timeZone: string): Date {
  const startMs = msOf(start);
  const lengthMs = mod(msOf(end) - startMs, dayMs);
  const nowMs = now.getTime();
  let moment = nowMs;
  // What is quiet is read off the wall: so the hours end where clocks jump over their end, and once more after going back.
  for (;;) {
    const { aheadMs, untilMs } = stretchOf(moment, timeZone);
    const sinceStartMs = mod(moment + aheadMs - startMs, dayMs);
    if (sinceStartMs >= lengthMs) return moment === nowMs ? now : new Date(moment);
    moment = Math.min(moment + lengthMs - sinceStartMs, untilMs);
  }
}

/** `08:00`, as somebody in the zone reads it off the wall. */
export function wallTime(moment: Date, timeZone: string): string {
  const ms = moment.getTime();
  return new Date(ms + stretchOf(ms, timeZone).aheadMs).toISOString().slice(11, 16);
}

const msOf = (time: string): number => Number(time.slice(0, 2)) * hourMs + Number(time.slice(3, 5)) * minuteMs;

const mod = (a: number, b: number): number => ((a % b) + b) % b;

/** How far the zone's clocks are ahead at a moment, and until when that surely holds. */
export function stretchOf(moment: number, timeZone: string): { aheadMs: number; untilMs: number } {
  const day = Math.floor(moment / dayMs);
  const { aheadMs, changeMs, thenAheadMs } = zoneDay(day, timeZone);
  if (moment < changeMs) return { aheadMs, untilMs: changeMs };
  return { aheadMs: thenAheadMs, untilMs: (day + 1) * dayMs };
}

// Asking Intl takes microseconds, and a campaign asks a million times: two answers per zone and day are enough.
const zones = new Map<string, { format: Intl.DateTimeFormat; days: Map<number, ZoneDay> }>();

function zoneDay(day: number, timeZone: string): ZoneDay {
  let zone = zones.get(timeZone);
  if (!zone) {
    zone = { format: new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }), days: new Map() };
    zones.set(timeZone, zone);
  }
  const { format, days } = zone;
  let known = days.get(day);
  if (!known) {
    if (days.size >= mostDays) days.clear();
    known = lookUp(format, day);
    days.set(day, known);
  }
  return known;
}

/** Clocks are changed at most once a day, at a full minute. */
function lookUp(format: Intl.DateTimeFormat, day: number): ZoneDay {
  let before = day * dayMs;
  let after = before + dayMs;
  const aheadMs = aheadAt(format, before);
  const thenAheadMs = aheadAt(format, after);
  while (aheadMs !== thenAheadMs && after - before > minuteMs) {
    const middle = before + Math.floor((after - before) / 2 / minuteMs) * minuteMs;
    if (aheadAt(format, middle) === aheadMs) before = middle;
    else after = middle;
  }
  return { aheadMs, changeMs: after, thenAheadMs };
}

function aheadAt(format: Intl.DateTimeFormat, moment: number): number {
  const name = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  if (sign === undefined) return 0;
  return (Number(hours) * hourMs + Number(minutes) * minuteMs) * (sign === '-' ? -1 : 1);
}
