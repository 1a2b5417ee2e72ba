import { type ByteSource, encodingOf, textOf } from './encoding.ts';
import { CsvError } from './records.ts';
import { delimiterOf, type Row, rowGroupsOf } from './rows.ts';

export { type ByteSource, bytesOfFile } from './encoding.ts';
export { CsvError } from './records.ts';
export type { Row } from './rows.ts';

export interface ReadOptions {
  /** What stands between the cells. Left out: it is found out. */
  delimiter?: string | undefined;
  /** Hears how many bytes were read. */
  onBytes?: (bytes: number) => void;
}

/** The rows of a CSV file, the header first, as many at a time as its bytes bring; the encoding is found out. */
export async function* readRows(source: ByteSource, { delimiter, onBytes }: ReadOptions = {}): AsyncGenerator<Row[]> {
  const encoding = await encodingOf(source);
  const mark = delimiter ?? (await delimiterOf(textOf(source, encoding)));
  yield* rowGroupsOf(textOf(source, encoding, onBytes), mark);
}

/** The header of a file, and what comes after it. A file without one is no CSV file. */
export async function openRows(groups: AsyncGenerator<Row[]>): Promise<{ header: Row; rows: AsyncGenerator<Row[]> }> {
  for (;;) {
    const { value, done } = await groups.next();
    if (done) throw new CsvError('The file is empty.');
    const [header, ...first] = value;
    if (header) return { header, rows: startingWith(first, groups) };
  }
}

async function* startingWith(first: Row[], rest: AsyncGenerator<Row[]>): AsyncGenerator<Row[]> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}
