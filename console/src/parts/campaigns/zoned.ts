/** The wall time of a moment in a zone, as `datetime-local` has it: `2026-11-15T09:30`. */
export function toZone(iso: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(new Date(iso));
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`;
}

/** The moment at which the clocks of a zone show this wall time. */
export function fromZone(local: string, timeZone: string): string {
  const wanted = Date.parse(`${local}Z`);
  const shown = (at: number) => Date.parse(`${toZone(new Date(at).toISOString(), timeZone)}Z`);
  // Asked twice, as the clocks may change between the guess and the moment.
  const guess = wanted - (shown(wanted) - wanted);
  return new Date(guess - (shown(guess) - wanted)).toISOString();
}
