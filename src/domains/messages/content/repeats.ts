import type { FieldErrors } from '../../../platform/errors.ts';

/** The first item that repeats an earlier one, -1 if none does. Lists are short: comparing them all costs less than a set. */
export function firstRepeat<T>(items: readonly T[], isSame: (one: T, other: T) => boolean): number {
  for (let later = 1; later < items.length; later++) {
    for (let earlier = 0; earlier < later; earlier++) if (isSame(items[earlier]!, items[later]!)) return later;
  }
  return -1;
}

/** The errors of a list of which one item is wrong: one entry per item. */
export const atItem = (items: readonly unknown[], wrong: number, errors: FieldErrors): FieldErrors[] =>
  items.map((_, index) => (index === wrong ? errors : {}));
