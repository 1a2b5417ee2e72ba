import { locale } from '../../parts/locale.ts';

/** Times as a phone writes them. */

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format costs more than using it, and a thread has a thousand times. */
function format(timeZone: string, name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone} ${name}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, { timeZone, ...options });
  formats.set(key, known);
  return known;
}

/** `14:05` */
export const sayClock = (at: string | number, timeZone: string): string =>
  format(timeZone, 'clock', { hour: '2-digit', minute: '2-digit' }).format(new Date(at));

/** A day by its number; the same for all moments of it. */
export const dayOf = (at: string | number, timeZone: string): string =>
  format(timeZone, 'day', { year: 'numeric', month: '2-digit', day: '2-digit' }).format(new Date(at));

/** `Today`, `Yesterday`, `Saturday`, `3 November 2026` */
export function sayDay(at: string, timeZone: string): string {
  const nowMs = Date.now();
  const day = dayOf(at, timeZone);
  if (day === dayOf(nowMs, timeZone)) return 'Today';
  if (day === dayOf(nowMs - 86_400_000, timeZone)) return 'Yesterday';
  const isRecent = nowMs - Date.parse(at) < 6 * 86_400_000;
  const options = isRecent
    ? ({ weekday: 'long' } as const)
    : ({ day: 'numeric', month: 'long', year: 'numeric' } as const);
  return format(timeZone, isRecent ? 'weekday' : 'date', options).format(new Date(at));
}

/** Beside a chat in a list: the time for today, the day for what is older. */
export function sayShort(at: string, timeZone: string): string {
  const day = sayDay(at, timeZone);
  if (day === 'Today') return sayClock(at, timeZone);
  return /\d/.test(day) ? dayOf(at, timeZone) : day;
}

/** `1:05`, `1:02:33` */
export function sayDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = String(whole % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}
