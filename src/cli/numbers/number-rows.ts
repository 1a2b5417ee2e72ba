import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { csvLine } from '../../platform/csv/write.ts';
import { Complaint, thousands } from '../terminal.ts';

/** What the server takes: one number of the pool. */
export interface PoolNumber {
  number: string;
  country_code?: string;
  prefix?: string;
  capabilities?: string[];
  carrier?: string;
}

type Field = keyof PoolNumber;

/** The names under which carriers and spreadsheets list these, in small letters and without anything between them. */
const names: Record<Field, readonly string[]> = {
  number: ['number', 'msisdn', 'did', 'phone', 'phonenumber', 'telephone', 'e164'],
  country_code: ['country', 'countrycode', 'iso', 'countryiso'],
  prefix: ['prefix', 'areacode', 'ndc'],
  capabilities: ['capabilities', 'capability'],
  carrier: ['carrier', 'provider'],
};

const longestCell = 100;

export type Columns = ReadonlyMap<Field, number>;

/** Where each field stands, by the names of the header. */
export function columnsOf(header: string[]): Columns {
  const found = new Map<Field, number>();
  for (const [place, title] of header.entries()) {
    const name = title.toLowerCase().replace(/[^a-z0-9]/g, '');
    const field = (Object.keys(names) as Field[]).find((field) => names[field].includes(name));
    if (!field) continue;
    if (found.has(field))
      throw new Complaint(`The file has two columns for the ${field}: "${title}" is the second.`, 2);
    found.set(field, place);
  }
  if (found.has('number')) return found;
  const titles = header.slice(0, 10).map((title) => JSON.stringify(title.slice(0, 40)));
  throw new Complaint(
    `The first line must name the columns, and one of them "number" (or msisdn, did). It has ${titles.join(', ')}.`,
    2,
  );
}

/** The number that a row is about; or what is wrong with it. */
export function readNumber(cells: string[], columns: Columns): PoolNumber | string {
  const cell = (field: Field): string => cells[columns.get(field) ?? -1] ?? '';
  if ([...columns.values()].some((place) => (cells[place] ?? '').length > longestCell)) return 'A cell is too long.';
  const number = cell('number').replace(/^'/, '').replace(/^00/, '+');
  if (number === '') return 'The number is missing.';
  if (/^\d([.,]\d+)?e\+?\d+$/i.test(number)) {
    return 'The spreadsheet has rounded this number; format its column as text and export it again.';
  }
  const capabilities = cell('capabilities')
    .toUpperCase()
    .split(/[|\s]+/)
    .filter(Boolean);
  return {
    number,
    ...(cell('country_code') && { country_code: cell('country_code').toUpperCase() }),
    ...(cell('prefix') && { prefix: cell('prefix') }),
    ...(capabilities.length > 0 && { capabilities }),
    ...(cell('carrier') && { carrier: cell('carrier').toLowerCase() }),
  };
}

export interface BadRow {
  line: number;
  number: string;
  error: string;
}

export interface BadRowOptions {
  /** A CSV file for all of them. */
  file: string | undefined;
  isQuiet: boolean;
  /** Makes room on the terminal. */
  clear(): void;
}

const mostShown = 100;

/** Shows the first bad rows and writes all of them to a file, if one is wanted; no more than the first are kept. */
export function makeBadRows({ file: path, isQuiet, clear }: BadRowOptions) {
  const file: WriteStream | undefined = path === undefined ? undefined : createWriteStream(path);
  let broken: Error | undefined;
  file?.on('error', (error) => {
    broken = error;
  });
  file?.write(csvLine(['line', 'number', 'error']));
  const first: BadRow[] = [];
  let count = 0;
  return {
    first,
    count: () => count,
    add(row: BadRow): void {
      count++;
      file?.write(csvLine([row.line, row.number, row.error]));
      if (first.length >= mostShown) return;
      first.push(row);
      if (isQuiet) return;
      clear();
      console.error(`line ${row.line}: ${row.number && `${printable(row.number)}: `}${row.error}`);
    },
    async end(): Promise<void> {
      if (count > mostShown && !isQuiet) {
        console.error(`… and ${thousands(count - mostShown)} more${path ? ` in ${path}` : ''}.`);
      }
      file?.end();
      if (file && !broken) await finished(file).catch(() => {});
      if (broken) console.error(`The errors could not be written: ${broken.message}.`);
    },
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a file must not be able to steer the terminal
const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd');
