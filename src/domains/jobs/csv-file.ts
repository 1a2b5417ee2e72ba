import { access } from 'node:fs/promises';
import { encodingOf, textOf } from '../../platform/csv/encoding.ts';
import { CsvError } from '../../platform/csv/records.ts';
import { delimiterOf, rowsOf } from '../../platform/csv/rows.ts';
import { makeFiles } from '../../platform/files.ts';
import { uploadFile } from './files.ts';
import { JobFailure } from './kind.ts';
import type { Work } from './work.ts';

/** A line of an uploaded file: its cells by their columns, or what is wrong with it. */
export type Line = { line: number; cells: Record<string, string> } | { line: number; error: string };

/** The path of the file that was uploaded with the job. */
export async function pathOfUpload({ deps, accountId, job }: Work): Promise<string> {
  const path = makeFiles(deps.config.dataDir).path(uploadFile(accountId, job));
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (!isThere) throw new JobFailure('The uploaded file is not here.');
  return path;
}

/** The lines of a CSV file after its header, some at a time, without the first `skip` of them. */
export async function* lineBatches(
  path: string,
  { needed, skip, size, delimiter }: { needed: string; skip: number; size: number; delimiter?: string | undefined },
): AsyncGenerator<Line[]> {
  const encoding = await encodingOf(path);
  const mark = delimiter ?? (await delimiterOf(textOf(path, encoding)));
  let header: string[] | undefined;
  let seen = 0;
  let batch: Line[] = [];
  for await (const row of rowsOf(textOf(path, encoding), mark)) {
    if (!header) {
      header = headerOf(row.error === undefined ? row.cells : [], needed);
    } else if (++seen > skip) {
      batch.push(row.error === undefined ? { line: row.line, cells: byColumn(header, row.cells) } : row);
      if (batch.length === size) {
        yield batch;
        batch = [];
      }
    }
  }
  if (!header) throw new CsvError('The file is empty.');
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
