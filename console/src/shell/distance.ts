const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** How far a clock is from the real time, by its two largest units: `1 day 2 hours ahead of real time`. */
export function sayDistance(aheadSeconds: number): string {
  let left = Math.round(Math.abs(aheadSeconds));
  if (left === 0) return 'the same as real time';
  const said: string[] = [];
  for (const [unit, size] of units) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) said.push(`${count} ${unit}${count === 1 ? '' : 's'}`);
    // Seconds beside days say nothing.
    if (said.length === 2 || (said.length === 1 && count === 0)) break;
  }
  return `${said.join(' ')} ${aheadSeconds > 0 ? 'ahead of' : 'behind'} real time`;
}
