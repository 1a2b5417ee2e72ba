import { render } from '../../../platform/text/render.ts';

/** What placeholders are filled from. */
export interface Person {
  phone_number: string;
  name: string;
  language_code: string;
  attributes: Readonly<Record<string, unknown>>;
}

/** The names of all placeholders in the texts of a value, each once, as they are written. */
export function placeholdersOf(value: unknown): string[] {
  const names = new Set<string>();
  const walk = (inner: unknown): void => {
    if (typeof inner === 'string') for (const name of render(inner, {}, 0).missing) names.add(name);
    else if (typeof inner === 'object' && inner !== null) for (const each of Object.values(inner)) walk(each);
  };
  walk(value);
  return [...names];
}

/** `First Name`, `first_name` and `firstName` are one name: columns of files are called by many spellings. */
export const foldedName = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '');

const fields = new Map<string, (person: Person) => string>([
  ['name', ({ name }) => name],
  ['firstname', ({ name }) => name.trim().split(/\s+/)[0] ?? ''],
  ['phonenumber', ({ phone_number }) => phone_number],
  ['languagecode', ({ language_code }) => language_code],
]);

/** Looks up the values of these placeholders for one person after the other. One without any value is left out. */
export function makeVariables(names: readonly string[], fallbacks: Readonly<Record<string, string>>) {
  const instead = new Map(Object.entries(fallbacks).map(([name, text]) => [foldedName(name), text]));
  const wanted = names.map((name) => ({ name, key: foldedName(name) }));
  return (person: Person): Record<string, string> => {
    const found = wanted.map(({ name, key }) => {
      // An attribute wins over nothing but an empty field: a file may have its own `first_name`.
      const value = fields.get(key)?.(person) || attributeOf(person, name, key) || instead.get(key);
      return [name, value] as const;
    });
    return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== undefined));
  };
}

function attributeOf({ attributes }: Person, name: string, key: string): string {
  const spelling = Object.hasOwn(attributes, name)
    ? name
    : Object.keys(attributes).find((attribute) => foldedName(attribute) === key);
  const value = spelling === undefined ? undefined : attributes[spelling];
  return value === undefined || value === null ? '' : String(value);
}
