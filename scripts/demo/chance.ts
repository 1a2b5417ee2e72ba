/** Chance that falls the same way in every run (mulberry32), so that two demos show the same business. */
export interface Chance {
  /** 0 up to, not including, `below`. */
  whole(below: number): number;
  of<T>(items: readonly T[]): T;
}

export function makeChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (below: number): number => Math.floor(next() * below);
  return { whole, of: (items) => items[whole(items.length)]! };
}
