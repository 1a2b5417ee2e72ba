import { type ByteSource, CsvError, openRows, readRows } from '../../../platform/csv/read.ts';
import { JobFailure } from '../kind.ts';
import type { Work } from '../running/work.ts';
import { uploadFile } from './files.ts';

/** A line of an uploaded file: its cells by their columns, or what is wrong with it. */
export type Line = { line: number; cells: Record<string, string> } | { line: number; error: string };

/** The file that was uploaded with the job. */
export async function openUpload({ deps: { files }, accountId, job }: Work): Promise<ByteSource> {
  const name = uploadFile(accountId, job);
  if ((await files.size(name)) === undefined) throw gone();
  return async function* () {
    const file = await files.get(name);
    if (!file) throw gone();
    yield* file.bytes;
  };
}

const gone = (): JobFailure => new JobFailure('The uploaded file is not here.');

/** The lines of a CSV file after its header, some at a time, without the first `skip` of them. */
export async function* lineBatches(
  source: ByteSource,
  { needed, skip, size, delimiter }: { needed: string; skip: number; size: number; delimiter?: string | undefined },
): AsyncGenerator<Line[]> {
  const { header: first, rows: groups } = await openRows(readRows(source, { delimiter }));
  const header = headerOf(first.error === undefined ? first.cells : [], needed);
  let seen = 0;
  let batch: Line[] = [];
  for await (const rows of groups) {
    for (const row of rows) {
      if (++seen <= skip) continue;
      batch.push(row.error === undefined ? { line: row.line, cells: byColumn(header, row.cells) } : row);
      if (batch.length < size) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** `Phone number` is the column phone_number. */
function headerOf(cells: string[], needed: string): string[] {
  const header = cells.map((cell) => cell.toLowerCase().replaceAll(/[\s-]+/g, '_'));
  if (header.includes(needed)) return header;
  throw new CsvError(`The file has no column ${needed}: its first line must name the columns.`);
}

const byColumn = (header: string[], cells: string[]): Record<string, string> =>
  Object.fromEntries(header.map((name, place) => [name, cells[place] ?? '']));
