import type { ReplyAlt } from '../schemas.ts';
import { readNumber } from './read-number.ts';

type Filter = NonNullable<ReplyAlt['filter']>;
type Bounds = Filter[string];

/**
 * Whether each variable that the filter names lies within its bounds. One that is not there, or is no number, does not; a
 * filter that names nothing says nothing against it.
 */
export function filterHolds(filter: Filter, variables: Readonly<Record<string, string>>): boolean {
  const named = Object.entries(filter);
  if (named.length === 0) return true;
  const loosely = new Map<string, string>();
  // Of several that differ only in case and underscores, the first: variables come in order of precedence.
  for (const [name, value] of Object.entries(variables)) {
    const key = looseName(name);
    if (!loosely.has(key)) loosely.set(key, value);
  }
  return named.every(([name, bounds]) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : loosely.get(looseName(name));
    const number = value === undefined ? undefined : readNumber(value);
    return number !== undefined && isWithin(number, bounds);
  });
}

/** What a filter takes for the same name: `property_price` is `PropertyPrice`. */
export const looseName = (name: string): string => name.replaceAll('_', '').toLowerCase();

const isWithin = (number: number, { gte, lte }: Bounds): boolean =>
  (gte === undefined || number >= boundOf(gte)) && (lte === undefined || number <= boundOf(lte));

/** Bounds have one notation, which their schema checks: spaces and commas for people, a point before the decimals. */
const boundOf = (text: string): number => Number(text.replaceAll(/[ ,]/g, ''));
