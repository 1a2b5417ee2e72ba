import { sayWord } from '../words.ts';

/** A field that somebody else changed since it was loaded. */
export interface Difference {
  name: string;
  label: string;
  theirs: unknown;
  yours: unknown;
  /** You changed it, too. */
  both: boolean;
}

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What they changed, beside what it is in your form. */
export function differences<V extends object>(base: V, theirs: V, yours: V): Difference[] {
  return (Object.keys(theirs) as (keyof V & string)[])
    .filter((name) => !isSame(base[name], theirs[name]))
    .map((name) => ({
      name,
      label: sayWord(name),
      theirs: theirs[name],
      yours: yours[name],
      both: !isSame(base[name], yours[name]) && !isSame(theirs[name], yours[name]),
    }));
}

/** Their version with your changes on it. */
export const merged = <V extends object>(base: V, theirs: V, yours: V): V =>
  Object.fromEntries(
    Object.entries({ ...theirs, ...yours }).map(([name, value]) => {
      const key = name as keyof V;
      return [name, key in theirs && isSame(base[key], yours[key]) ? theirs[key] : value];
    }),
  ) as V;

const mostCharacters = 300;

/** A value of a form, as a person reads it. */
export function sayValue(value: unknown): string {
  if (value === null || value === undefined || value === '' || isSame(value, [])) return '(empty)';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value !== 'object') return clip(String(value));
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return clip(value.join(', '));
  return clip(JSON.stringify(value, null, 1));
}

const clip = (text: string): string => (text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text);
