import { CsvError } from '../../../platform/csv/read.ts';
import { limits } from '../schemas.ts';

/** What a column may be. The cells of a column `attributes` are JSON objects, as the export writes them. */
export type Field = 'phone_number' | 'name' | 'first_name' | 'last_name' | 'language_code' | 'time_zone' | 'attributes';

/** Where each field stands, and which columns are attributes, under which name. */
export interface Columns {
  fields: ReadonlyMap<Field, number>;
  attributes: readonly { name: string; place: number }[];
}

/**
 * The titles that people give these columns, in lower case without spaces or marks. If two columns fit one field, the title that
 * comes first here is the field and the other becomes an attribute.
 */
const names: Record<Field, readonly string[]> = {
  phone_number: [
    ...['phonenumber', 'mobilenumber', 'mobilephone', 'mobile', 'cellphone', 'cell', 'phone', 'msisdn', 'e164'],
    ...['whatsapp', 'telephonenumber', 'telephone', 'tel', 'number'],
  ],
  name: ['name', 'fullname', 'contactname'],
  first_name: ['firstname', 'givenname', 'forename'],
  last_name: ['lastname', 'surname', 'familyname'],
  language_code: ['languagecode', 'language', 'lang', 'locale'],
  time_zone: ['timezone', 'tz'],
  attributes: ['attributes'],
};
const fieldNames = Object.keys(names) as Field[];

/** What the file of refused rows says of each of them. */
export const refusalColumn = 'refusal_reason';

/** Columns of an export that say what the server itself decides. */
const passedOver = ['uuid', 'lists', 'created', 'modified', refusalColumn];

/** Reads the header. `mapping` says of columns, by their title, what they are; "" that they are nothing. */
export function readColumns(header: string[], mapping: Record<string, string> = {}): Columns {
  const titles = header.map((title) => title.replace(/^\ufeff/, ''));
  const mapped = new Map(Object.entries(mapping).map(([title, wanted]) => [tidy(title), wanted]));
  for (const title of Object.keys(mapping)) {
    if (!titles.some((other) => tidy(other) === tidy(title))) throw new CsvError(`The file has no column "${title}".`);
  }
  const fields = new Map<Field, number>();
  for (const [place, title] of titles.entries()) {
    const wanted = mapped.get(tidy(title)) as Field | undefined;
    if (!wanted || !fieldNames.includes(wanted)) continue;
    if (fields.has(wanted)) throw new CsvError(`Two columns are to be the ${wanted}: "${title}" is the second.`);
    fields.set(wanted, place);
  }
  const free = titles.map((title) => (mapped.has(tidy(title)) ? '' : plain(title)));
  for (const field of fieldNames) {
    const place = bestPlace(free, names[field]);
    if (!fields.has(field) && place !== undefined) fields.set(field, place);
  }
  // If there is a column for the whole name, columns for its parts are attributes.
  if (fields.has('name')) for (const part of ['first_name', 'last_name'] as const) fields.delete(part);
  if (!fields.has('phone_number')) throw new CsvError(withoutPhone(titles));
  return { fields, attributes: readAttributes(titles, new Set(fields.values()), mapped) };
}

const tidy = (title: string): string => title.trim().toLowerCase();
const plain = (title: string): string => title.toLowerCase().replace(/[^a-z0-9]/g, '');

function bestPlace(titles: string[], wanted: readonly string[]): number | undefined {
  const name = wanted.find((each) => titles.includes(each));
  return name === undefined ? undefined : titles.indexOf(name);
}

function readAttributes(titles: string[], taken: ReadonlySet<number>, mapped: ReadonlyMap<string, string>) {
  const found = new Map<string, number>();
  for (const [place, title] of titles.entries()) {
    const wanted = mapped.get(tidy(title));
    const name = (wanted ?? title).trim();
    if (taken.has(place) || name === '' || (wanted === undefined && passedOver.includes(name))) continue;
    if ([...name].length > limits.attributeName) {
      throw new CsvError(`The column "${[...name].slice(0, 40).join('')}…" has a name of more than 64 characters.`);
    }
    if (found.has(name)) throw new CsvError(`The file has two columns "${name}".`);
    found.set(name, place);
  }
  if (found.size > limits.attributes) {
    throw new CsvError(`The file has ${found.size} columns of attributes; ${limits.attributes} is the most.`);
  }
  return [...found].map(([name, place]) => ({ name, place }));
}

function withoutPhone(titles: string[]): string {
  const some = titles.slice(0, 10).map((title) => `"${title.slice(0, 40)}"`);
  return `The first line must name the columns, and one of them "phone_number" (or phone, mobile, msisdn, tel). It has ${some.join(', ')}.`;
}
