import { digitsOf, isLanguage, isTimeZone, sentences } from '../check.ts';
import { limits } from '../schemas.ts';
import type { Columns, Field } from './columns.ts';

// An export guards what looks like a formula with an apostrophe; people do the same to keep zeros.
const guarded = /^'(?=\s*[=+\-@＝＋－＠\d\t\r\n])/;

/** What a row says of a person; what it leaves empty says nothing. */
export interface ImportedContact {
  phone_number: string;
  digits: string;
  name: string;
  language_code: string;
  time_zone: string;
  /** As JSON text: as objects, these would be most of the memory that an import takes. */
  attributes: string;
}

/** Makes contacts of rows: a contact, or the sentence that says what is wrong with it. */
export function rowReader(
  { fields, attributes }: Columns,
  country: string,
): (cells: string[]) => ImportedContact | string {
  const at = (field: Field): number => fields.get(field) ?? -1;
  const places = { phone: at('phone_number'), name: at('name'), language: at('language_code'), zone: at('time_zone') };
  const parts = [at('first_name'), at('last_name')];
  const bundle = at('attributes');
  const keyed = attributes.map((attribute) => ({ ...attribute, key: `${JSON.stringify(attribute.name)}:` }));
  const cell = (cells: string[], place: number): string => {
    const text = cells[place] ?? '';
    return text.charCodeAt(0) === apostrophe ? text.replace(guarded, '') : text;
  };

  return (cells) => {
    const phone_number = cell(cells, places.phone);
    const digits = digitsOf(phone_number, country);
    if (digits === undefined) return phoneProblem(phone_number);
    const name =
      places.name >= 0
        ? cell(cells, places.name)
        : parts
            .map((place) => cell(cells, place))
            .join(' ')
            .trim();
    if (name.length > limits.name) return tooLong('name', limits.name);
    const language_code = cell(cells, places.language).replace('-', '_');
    if (!isLanguage(language_code)) return `language_code: ${sentences.language}`;
    const time_zone = cell(cells, places.zone);
    if (!isTimeZone(time_zone)) return `time_zone: ${sentences.timeZone}`;
    const inside = bundle >= 0 ? readBundle(cells[bundle] ?? '') : [];
    if (inside === undefined) return bundleProblem;
    for (const { name, place, key } of keyed) {
      const value = cell(cells, place);
      if (value.length > limits.attributeValue) return tooLong(name, limits.attributeValue);
      if (value !== '') inside.push(key + JSON.stringify(value));
    }
    // Joined at once: the engine keeps a text that was put together piece by piece as its pieces.
    return { phone_number, digits, name, language_code, time_zone, attributes: ['{', inside.join(), '}'].join('') };
  };
}

const apostrophe = "'".charCodeAt(0);
const tooLong = (field: string, most: number): string =>
  `${field}: Ensure this field has no more than ${most} characters.`;

function phoneProblem(number: string): string {
  if (number === '') return 'phone_number: This field may not be blank.';
  return /^\d([.,]\d+)?e\+?\d+$/i.test(number)
    ? 'phone_number: The spreadsheet has rounded this number; format its column as text and export it again.'
    : `phone_number: ${sentences.phone}`;
}

const bundleProblem = 'attributes: Enter a JSON object of texts, numbers and booleans.';

/** The members of a JSON object as an export writes it; undefined where it is something else. */
function readBundle(text: string): string[] | undefined {
  if (text === '') return [];
  try {
    const entries = Object.entries(JSON.parse(text) as object);
    const isFine = text.startsWith('{') && entries.length <= limits.attributes && entries.every(isAttribute);
    return isFine ? entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`) : undefined;
  } catch {
    return undefined;
  }
}

const isAttribute = ([name, value]: [string, unknown]): boolean =>
  name !== '' &&
  name.length <= limits.attributeName &&
  ['string', 'number', 'boolean'].includes(typeof value) &&
  String(value).length <= limits.attributeValue &&
  !/\0|[\ud800-\udfff]/u.test(name + String(value));

/** What two rows say of one number: the later one, where it says something. */
export const merged = (before: ImportedContact, after: ImportedContact): ImportedContact => ({
  phone_number: before.phone_number,
  digits: before.digits,
  name: after.name || before.name,
  language_code: after.language_code || before.language_code,
  time_zone: after.time_zone || before.time_zone,
  attributes: JSON.stringify(
    Object.fromEntries([before, after].flatMap(({ attributes }) => Object.entries(JSON.parse(attributes)))),
  ),
});
