const dayMs = 86_400_000;

/** The day of this moment in a zone: `2026-11-15`. */
export const dayOf = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);

/** So many days up to the one given, which comes last. */
export const daysUntil = (last: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(last) - (count - 1 - index) * dayMs).toISOString().slice(0, 10),
  );

/** `Sun 15`. */
export const sayDay = (day: string): string =>
  new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', timeZone: 'UTC' }).format(new Date(day));

export const sum = (counts: object): number =>
  Object.values(counts).reduce((total: number, count) => total + Number(count), 0);
