import { useSyncExternalStore } from 'react';
import { useHere } from '../shell/account.tsx';

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });
const steps = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 7],
] as const;

let nowMs = Date.now();
const tick = (changed: () => void) => {
  const timer = setInterval(() => {
    nowMs = Date.now();
    changed();
  }, 15_000);
  return () => clearInterval(timer);
};
const now = () => nowMs;

/** `5 min. ago`, `in 2 days`; a date for what is more than a week away. */
export function sayRelative(at: Date, fromMs: number, timeZone: string): string {
  let amount = (at.getTime() - fromMs) / 1000;
  if (Math.abs(amount) < 5) return 'now';
  for (const [unit, size] of steps) {
    if (Math.abs(amount) < size) return relative.format(Math.round(amount), unit);
    amount /= size;
  }
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone }).format(at);
}

/** The exact moment in a zone: `15 Nov 2026, 11:28:15 GMT`. */
export const sayExactly = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(at);

/** A moment, relative to now and exact on hover, in the account's time zone. `exact` shows the exact one at once. A dash for none. */
export function Time({ at, exact = false }: { at: string | null | undefined; exact?: boolean }) {
  const { timeZone } = useHere();
  const here = useSyncExternalStore(tick, now);
  if (!at) return <span>–</span>;
  const moment = new Date(at);
  const full = sayExactly(moment, timeZone);
  if (exact) return <time dateTime={at}>{full}</time>;
  // A title, as a tooltip of Mantine in every row of a table would be felt when it scrolls.
  return (
    <time dateTime={at} title={full}>
      {sayRelative(moment, Math.max(here, Date.now() - 15_000), timeZone)}
    </time>
  );
}
