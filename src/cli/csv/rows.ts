import { parse } from 'csv-parse/sync';
import { type RawRecord, recordsOf } from './records.ts';

/** The cells of a record; or what is wrong with it. */
export type Row = { line: number; cells: string[]; error?: undefined } | { line: number; error: string };

/** The parser is started anew for each group: with a record at a time that would be most of the work. */
const groupSize = 1000;

/** The rows of a CSV text in their order, read as it comes. */
export async function* rowsOf(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<Row> {
  let group: RawRecord[] = [];
  for await (const record of recordsOf(text, delimiter)) {
    group.push(record);
    if (group.length < groupSize) continue;
    yield* parseGroup(group, delimiter);
    group = [];
  }
  yield* parseGroup(group, delimiter);
}

function parseGroup(group: RawRecord[], delimiter: string): Row[] {
  const good = group.filter((record) => record.error === undefined);
  const cells = parseTexts(
    good.map((record) => record.text),
    delimiter,
  );
  // One of them is broken: each by itself, then.
  if (cells?.length !== good.length) return group.map((record) => parseAlone(record, delimiter));
  const parsed = cells[Symbol.iterator]();
  return group.map((record) =>
    record.error === undefined ? asRow(record.line, parsed.next().value!) : { line: record.line, error: record.error },
  );
}

function parseAlone(record: RawRecord, delimiter: string): Row {
  if (record.error !== undefined) return record;
  const cells = parseTexts([record.text], delimiter);
  return cells?.length === 1
    ? asRow(record.line, cells[0]!)
    : { line: record.line, error: 'The quotes of this line cannot be made sense of.' };
}

const asRow = (line: number, cells: string[]): Row =>
  cells.some((cell) => cell.includes('\0')) ? { line, error: 'The line holds a NUL byte.' } : { line, cells };

function parseTexts(texts: string[], delimiter: string): string[][] | undefined {
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
    header += chunk;
    if (/\S[^\r\n]*[\r\n]/.test(header)) break;
  }
  const [line = ''] = header.trimStart().split(/[\r\n]/);
  const unquoted = line.replace(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((mark) => ({ mark, count: unquoted.split(mark).length }));
  return counts.reduce((best, other) => (other.count > best.count ? other : best)).mark;
}
