/** Days as the API takes them: `2026-11-15`. */
export interface Span {
  from: string;
  to: string;
}

const dayMs = 86_400_000;
const plus = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/** Today, or the day of another moment, by the clock of a zone. */
export const todayIn = (timeZone: string, at = new Date()): string =>
  // The only locale that writes days as the API does.
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);

export const lastDays = (today: string, days: number): Span => ({ from: plus(today, 1 - days), to: today });

/** How many days, both ends included. */
export const lengthOf = ({ from, to }: Span): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs) + 1;

/** As many days, just before. */
export const before = (span: Span): Span => ({ from: plus(span.from, -lengthOf(span)), to: plus(span.from, -1) });

/** Against what it was; undefined where there was nothing. */
export const change = (now: number, then: number | undefined): number | undefined =>
  then ? (now - then) / then : undefined;
