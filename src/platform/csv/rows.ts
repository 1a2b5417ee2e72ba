import { parse } from 'csv-parse/sync';

/** The cells of a record; or what is wrong with it, and its text. */
export type Row =
  | { line: number; cells: string[]; error?: undefined }
  | { line: number; error: string; text?: string | undefined };

/** The rows of a CSV text in their order, as many at a time as the text brings. */
export async function* rowGroupsOf(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<Row[]> {
  for await (const records of recordsOf(text, delimiter)) yield parseGroup(records, delimiter);
}

/** Most records have no quotes and are split where the delimiter stands; the parser, seven times as slow, gets the others. */
function parseGroup(group: RawRecord[], delimiter: string): Row[] {
  const quoted = group.flatMap((record) => (record.error === undefined && hasQuotes(record.text) ? [record.text] : []));
  const cells = parseTexts(quoted, delimiter);
  // Where one of them is broken the count differs: each by itself, then.
  const parsed = cells?.length === quoted.length ? cells[Symbol.iterator]() : undefined;
  return group.map((record) => {
    if (record.error !== undefined) return record;
    const { line, text } = record;
    if (!hasQuotes(text)) return asRow(record, splitCells(text, delimiter));
    const own = parsed ? parsed.next().value : parseAlone(text, delimiter);
    return own ? asRow(record, own) : { line, error: 'The quotes of this line cannot be made sense of.', text };
  });
}

const hasQuotes = (text: string): boolean => text.includes('"');

const asRow = ({ line, text }: { line: number; text: string }, cells: string[]): Row =>
  text.includes('\0')
    ? { line, error: 'The line holds a NUL byte.', text: text.replaceAll('\0', '') }
    : { line, cells };

function splitCells(text: string, delimiter: string): string[] {
  const cells = text.split(delimiter);
  for (let at = 0; at < cells.length; at++) cells[at] = cells[at]!.trim();
  return cells;
}

function parseAlone(text: string, delimiter: string): string[] | undefined {
  const cells = parseTexts([text], delimiter);
  return cells?.length === 1 ? cells[0] : undefined;
}

function parseTexts(texts: string[], delimiter: string): string[][] | undefined {
  if (texts.length === 0) return [];
  try {
    return parse(texts.join('\n'), {
      delimiter,
      record_delimiter: '\n',
      relax_column_count: true,
      relax_quotes: true,
      trim: true,
    });
  } catch {
    return undefined;
  }
}

/** What stands between the cells: the mark that the header has most of. */
export async function delimiterOf(text: AsyncIterable<string>): Promise<string> {
  let header = '';
  for await (const chunk of text) {
    header = (header + chunk).trimStart();
    if (/[\r\n]/.test(header) || header.length > longestLine) break;
  }
  const [line = ''] = header.split(/[\r\n]/, 1);
  const unquoted = line.replace(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((mark) => ({ mark, count: unquoted.split(mark).length }));
  return counts.reduce((best, other) => (other.count > best.count ? other : best)).mark;
}

/** A record as it stands in the file, and the line on which it begins; or what is wrong there. */
type RawRecord = { line: number; text: string; error?: undefined } | { line: number; error: string; text: string };

/** Why a file cannot be read as CSV at all. */
export class CsvError extends Error {
  override name = 'CsvError';
}

const mostLines = 50;
const longestLine = 1024 * 1024;

/**
 * Finds where records begin and end, so that a parser can be given one after the other and a broken one spoils no other. A
 * quote that is not closed within fifty lines is taken for a mistake of its own line: what follows is read as if it were not
 * there. Blank lines are passed over. The records of a piece of text come together: one at a time would take as long as all else.
 */
async function* recordsOf(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<RawRecord[]> {
  let line = 0;
  let kept: string[] = [];
  let isOpen = false;
  let found: RawRecord[] = [];

  const take = (next: string): void => {
    line++;
    if (kept.length === 0 && next.trim() === '') return;
    isOpen = endsWithinQuotes(next, isOpen, delimiter);
    if (kept.length === 0 && !isOpen) return void found.push({ line, text: next });
    kept.push(next);
    if (isOpen) {
      if (kept.length >= mostLines) giveUp();
      return;
    }
    found.push({ line: line - kept.length + 1, text: kept.join('\n') });
    kept = [];
  };

  const giveUp = (): void => {
    const [text = '', ...rest] = kept;
    line -= rest.length;
    found.push({ line, error: 'A quote is opened and not closed.', text });
    kept = [];
    isOpen = false;
    for (const again of rest) take(again);
  };

  for await (const lines of linesOf(text)) {
    for (const next of lines) take(next);
    yield found;
    found = [];
  }
  while (kept.length > 0) giveUp();
  yield found;
}

/** Lines by any of the three ends that files have. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string[]> {
  let rest = '';
  for await (const chunk of text) {
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    yield lines;
    if (rest.length > longestLine) {
      throw new CsvError('The file has a line of more than a million characters: it is no CSV file.');
    }
  }
  if (rest !== '') yield [rest.replace(/\r$/, '')];
}

/** Whether a line ends inside a quoted cell. Quotes count where a cell begins, and are doubled inside (RFC 4180). */
function endsWithinQuotes(line: string, beganWithin: boolean, delimiter: string): boolean {
  if (!line.includes('"')) return beganWithin;
  let at = 0;
  if (beganWithin) {
    at = afterQuotes(line, 0);
    if (at < 0) return true;
    at = afterDelimiter(line, at, delimiter);
  }
  while (at >= 0) {
    while (line[at] === ' ') at++;
    if (line[at] === '"') at = afterQuotes(line, at + 1);
    if (at < 0) return true;
    at = afterDelimiter(line, at, delimiter);
  }
  return false;
}

/** Behind the quote that closes a cell; -1 where none does. */
function afterQuotes(line: string, from: number): number {
  let quote = line.indexOf('"', from);
  while (quote >= 0 && line[quote + 1] === '"') quote = line.indexOf('"', quote + 2);
  return quote < 0 ? -1 : quote + 1;
}

/** Where the next cell begins; -1 where there is none. */
function afterDelimiter(line: string, from: number, delimiter: string): number {
  const next = line.indexOf(delimiter, from);
  return next < 0 ? -1 : next + 1;
}
