import type { Schema } from '../../../../api/index.ts';
import type { KnownName } from '../../../../parts/bubble/index.ts';

type Contact = Schema<'Contact'>;

/** `First Name`, `first_name` and `firstName` are one name, as for the server. */
const folded = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '');

const fields: { name: string; from: string; of(contact: Contact): string }[] = [
  { name: 'first_name', from: 'The first word of the name', of: ({ name }) => name.trim().split(/\s+/)[0] ?? '' },
  { name: 'name', from: 'The name', of: ({ name }) => name },
  { name: 'phone_number', from: 'The number', of: ({ phone_number }) => phone_number },
  { name: 'language_code', from: 'The language', of: ({ language_code }) => language_code },
];

/** What a placeholder stands for with this person; undefined if nothing is known. */
export function meaningOf(name: string, contact: Contact | undefined): string | undefined {
  if (!contact) return undefined;
  const key = folded(name);
  const field = fields.find((each) => folded(each.name) === key)?.of(contact);
  if (field) return field;
  const spelling = Object.keys(contact.attributes).find((each) => folded(each) === key);
  const value = spelling === undefined ? undefined : contact.attributes[spelling];
  return value === undefined || value === null || value === '' ? undefined : String(value);
}

/** Names to offer while one types: the fields, and the attributes that the people at hand have. */
function offeredNames(people: readonly Contact[]): { name: string; from: string }[] {
  const attributes = new Set(people.flatMap((person) => Object.keys(person.attributes)));
  const own = [...attributes].filter((name) => !/[{}]/.test(name)).map((name) => ({ name, from: 'Attribute' }));
  return [...fields.map(({ name, from }) => ({ name, from })), ...own];
}

/** All names with what they mean for one person, those that are used in other spellings included. */
export function knownFor(
  contact: Contact | undefined,
  people: readonly Contact[],
  used: readonly string[],
  fallbacks: Readonly<Record<string, string>>,
): KnownName[] {
  const offered = offeredNames(people);
  const others = used
    .filter((name) => !offered.some((each) => each.name === name))
    .map((name) => ({ name, from: 'Placeholder' }));
  return [...offered, ...others].flatMap(({ name, from }) => {
    const own = meaningOf(name, contact);
    if (own !== undefined) return [{ name, from, value: own }];
    const instead = Object.entries(fallbacks).find(([key]) => folded(key) === folded(name))?.[1];
    if (instead) return [{ name, from: 'Fallback', value: instead, sample: true }];
    // One that somebody has is offered; whether this person lacks it is shown where it is used.
    return offered.some((each) => each.name === name) && !used.includes(name) ? [{ name, from, value: '' }] : [];
  });
}
