import { parse } from 'csv-parse/sync';
import { longestLine, type RawRecord, recordsOf } from './records.ts';

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
