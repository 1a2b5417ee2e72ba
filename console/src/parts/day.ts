/** How far the clocks of this zone are ahead of UTC at that moment, in milliseconds. */
function offsetMs(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) - at.getTime();
}

/** When a day (`2026-11-15`) begins in this zone, as the API takes it. */
export function dayStart(day: string, timeZone: string): string {
  const utc = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(utc)) return '';
  // Asked twice, as the clocks may change between the guess and the moment.
  const guess = utc - offsetMs(new Date(utc), timeZone);
  return new Date(utc - offsetMs(new Date(guess), timeZone)).toISOString();
}

/** When that day is over. */
export function dayEnd(day: string, timeZone: string): string {
  const utc = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(utc) ? '' : dayStart(new Date(utc + 86_400_000).toISOString().slice(0, 10), timeZone);
}
