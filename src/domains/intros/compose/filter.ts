import type { ReplyAlt } from '../reply-schemas.ts';

type Filter = NonNullable<ReplyAlt['filter']>;
type Bounds = Filter[string];

/**
 * Whether each variable that the filter names lies within its bounds. A variable that is missing or is no number does not. A filter
 * that names nothing always holds.
 */
export function filterMatches(filter: Filter, variables: Readonly<Record<string, string>>): boolean {
  const named = Object.entries(filter);
  if (named.length === 0) return true;
  const loosely = new Map<string, string>();
  // Of several names that differ only in case and underscores, the first counts: variables come in order of precedence.
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

/** Reads a bound. Its schema allows one notation: spaces and commas between digits, a point before the decimals. */
const boundOf = (text: string): number => Number(text.replaceAll(/[ ,]/g, ''));

/**
 * Reads the one number of a short text as people write prices: `R 1 250 000`, `1,250,000.50`, `€ 1.250.000`, `CHF 1'250.-`.
 * Undefined when there is none, when there are several, and when it cannot be told what is meant.
 *
 * - A text that is nothing but a plain number is read as JSON and the bounds of filters are: a point, never a group.
 * - Of two kinds of separator the last one begins the decimals, and stands once.
 * - One that is repeated, a space and an apostrophe separate groups. Groups have three digits; before the last one also two
 *   (12,50,000).
 * - A single comma or point before three digits separates a group as well, if a group can stand before it: `1,250` and
 *   `€ 1.250`, but not `0,250` and `1234,567`. Before any other number of digits it begins the decimals.
 * - `250k` and `1.2 million` are left alone: what they count in is not always money.
 */
export function readNumber(text: string): number | undefined {
  const plain = text.trim();
  if (plain.length > longest) return undefined;
  if (/^[+-]?\d+(\.\d+)?$/.test(plain)) return Number(plain);
  const numbers = [...plain.matchAll(/\d+(?:[\s'’.,]\d+)*/g)];
  const [found] = numbers;
  if (!found || numbers.length > 1) return undefined;
  const before = signOf(plain.slice(0, found.index));
  const after = plain.slice(found.index + found[0].length);
  const value = magnitude.test(after) ? undefined : unsigned(found[0]);
  return before === undefined || value === undefined ? undefined : before * value;
}

/** A longer text is a sentence, or an attack. */
const longest = 64;
const magnitude = /^\s?(?:k|m|mn|mio|mln|mil|b|bn|thousand|lakh|lac|million|crore|cr|billion)(?![a-z])/i;

/** −1 or 1 by what stands before the digits; undefined for a hyphen that may not be a minus (`REF-12`). */
function signOf(before: string): 1 | -1 | undefined {
  if (/^[-−]/.test(before)) return -1;
  if (!/[-−]/.test(before)) return 1;
  return /[^\p{L}\p{N}][-−]$/u.test(before) ? -1 : undefined;
}

function unsigned(number: string): number | undefined {
  const separators = number.replaceAll(/\d/g, '').replaceAll(/[\s’]/g, "'");
  const whole = wholeLength(number, separators);
  const groups = number.slice(0, whole).split(/\D/);
  const decimals = number.slice(whole).replaceAll(/\D/g, '');
  const sameSeparator = new Set(separators.slice(0, groups.length - 1)).size <= 1;
  return sameSeparator && areGroups(groups) ? Number(`${groups.join('')}.${decimals || '0'}`) : undefined;
}

/** How many characters stand before the decimals. */
function wholeLength(number: string, separators: string): number {
  const last = separators.at(-1);
  if (last !== ',' && last !== '.') return number.length;
  const at = number.lastIndexOf(last);
  if (separators.length > 1) return separators.indexOf(last) < separators.length - 1 ? number.length : at;
  const isGroup = number.length - at === 4 && at <= 3 && !number.startsWith('0');
  return isGroup ? number.length : at;
}

function areGroups([first = '', ...others]: string[]): boolean {
  if (others.length === 0) return true;
  return first.length <= 3 && others.at(-1)?.length === 3 && others.every(({ length }) => length === 3 || length === 2);
}
