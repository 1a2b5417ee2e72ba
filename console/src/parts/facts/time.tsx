import { useSyncExternalStore } from 'react';
import { useHere } from '../account.tsx';
import { locale } from '../locale.ts';

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });
const steps = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 7],
] as const;

const lookMs = 15_000;
const tick = (changed: () => void) => {
  const timer = setInterval(changed, lookMs);
  return () => clearInterval(timer);
};
const round = () => Math.floor(Date.now() / lookMs);

/** One for each zone: making one takes longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();
function formatOf(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone} ${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone });
  formats.set(key, format);
  return format;
}
const day: Intl.DateTimeFormatOptions = { dateStyle: 'medium' };
const exactly: Intl.DateTimeFormatOptions = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
};

/** `5 min. ago`, `in 2 days`; a date for what is more than a week away. */
function sayRelative(at: Date, fromMs: number, timeZone: string): string {
  let amount = (at.getTime() - fromMs) / 1000;
  if (Math.abs(amount) < 5) return 'now';
  for (const [unit, size] of steps) {
    if (Math.abs(amount) < size) return relative.format(Math.round(amount), unit);
    amount /= size;
  }
  return formatOf(timeZone, day).format(at);
}

/** The exact moment in a zone: `15 Nov 2026, 11:28:15 GMT`. */
export const sayExactly = (at: Date, timeZone: string): string => formatOf(timeZone, exactly).format(at);

/** A moment, relative to now and exact on hover, in the reader's time zone. `exact` shows the exact one at once. A dash for none. */
export function Time({ at, exact = false }: { at: string | null | undefined; exact?: boolean }) {
  const { shownZone: timeZone } = useHere();
  // What is shown grows old by itself.
  useSyncExternalStore(tick, round);
  if (!at) return <span>–</span>;
  const moment = new Date(at);
  const full = sayExactly(moment, timeZone);
  if (exact) return <time dateTime={at}>{full}</time>;
  // A title, as a tooltip of Mantine in every row of a table would be felt when it scrolls.
  return (
    <time dateTime={at} title={full}>
      {sayRelative(moment, Date.now(), timeZone)}
    </time>
  );
}
