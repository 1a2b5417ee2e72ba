import { stat } from 'node:fs/promises';
import { bytesOfFile, CsvError, openRows, type Row, readRows } from '../../platform/csv/read.ts';
import type { Api } from '../api.ts';
import { Complaint, makeProgress, thousands } from '../terminal.ts';
import { type BadRow, type Columns, columnsOf, makeBadRows, type PoolNumber, readNumber } from './number-rows.ts';

export interface ImportOptions {
  dryRun?: boolean;
  /** A file for all errors; the first hundred are shown in any case. */
  errors?: string;
  json?: boolean;
}

/** The most that the server takes at once; the bytes leave room below its limit of 1 MiB. */
const batch = { rows: 5000, bytes: 900_000 };

/**
 * Imports the numbers of a CSV file into the pool: read and sent batch by batch, so that memory does not grow with the file.
 * The exit code: 0 all rows are in, 1 some were bad, 2 nothing was done.
 */
export async function importNumbers(api: Api, path: string, options: ImportOptions): Promise<number> {
  const { size } = await stat(path).catch(cannotRead(path));
  const progress = makeProgress(process.stderr, size);
  const errors = makeBadRows({ file: options.errors, isQuiet: options.json ?? false, clear: progress.clear });
  const sum = { rows: 0, added: 0, updated: 0, unchanged: 0 };
  const startedAt = performance.now();
  let bytes = 0;

  const send = async (lines: number[], items: PoolNumber[]): Promise<void> => {
    const answer = await api.call('POST', `/v2/number/pool/${options.dryRun ? '?dry_run=true' : ''}`, items, {
      repeatable: true,
    });
    for (const { index, number, error } of answer.errors) errors.add({ line: lines[index]!, number, error });
    sum.added += answer.added;
    sum.updated += answer.updated;
    sum.unchanged += answer.unchanged;
    progress.show(sum.rows, bytes);
  };

  let stopped: string | undefined;
  try {
    const onBytes = (more: number): void => {
      bytes += more;
    };
    const { header, rows } = await openRows(readRows(bytesOfFile(path), { onBytes })).catch(cannotRead(path));
    if (header.error !== undefined) throw new Complaint(`Line ${header.line}: ${header.error}`, 2);
    await sendAll(rows, columnsOf(header.cells), { send, bad: errors.add, counted: () => void sum.rows++ });
  } catch (error) {
    // What was sent stays: to say so is of more use than to say nothing was done.
    if (sum.added + sum.updated + sum.unchanged === 0) {
      throw error instanceof CsvError ? new Complaint(error.message, 2) : error;
    }
    stopped = (error as Error).message;
  }
  progress.clear();
  await errors.end();
  const seconds = (performance.now() - startedAt) / 1000;
  const result = {
    file: path,
    dry_run: options.dryRun ?? false,
    ...sum,
    bad: errors.count(),
    seconds,
    errors: errors.first,
    ...(stopped && { stopped }),
  };
  console.log(options.json ? JSON.stringify(result) : inWords(result));
  if (sum.added + sum.updated + sum.unchanged === 0) return 2;
  return stopped || result.bad > 0 ? 1 : 0;
}

interface Handlers {
  send(lines: number[], items: PoolNumber[]): Promise<void>;
  bad(row: BadRow): void;
  counted(): void;
}

/** One batch is on its way while the next is read. */
async function sendAll(
  groups: AsyncIterable<Row[]>,
  columns: Columns,
  { send, bad, counted }: Handlers,
): Promise<void> {
  let sending = Promise.resolve();
  let [lines, items, bytes]: [number[], PoolNumber[], number] = [[], [], 0];
  const flush = async (): Promise<void> => {
    await sending;
    if (items.length > 0) sending = send(lines, items);
    // Waited for a little later; until then a failure is nobody's.
    sending.catch(() => {});
    [lines, items, bytes] = [[], [], 0];
  };
  for await (const rows of groups) {
    for (const row of rows) {
      counted();
      const number = row.error === undefined ? readNumber(row.cells, columns) : row.error;
      if (typeof number === 'string') {
        const written = row.error === undefined ? (row.cells[columns.get('number')!] ?? '') : '';
        bad({ line: row.line, number: written, error: number });
        continue;
      }
      lines.push(row.line);
      items.push(number);
      bytes += Buffer.byteLength(JSON.stringify(number)) + 1;
      if (items.length >= batch.rows || bytes >= batch.bytes) await flush();
    }
  }
  await flush();
  await sending;
}

function inWords(result: {
  rows: number;
  added: number;
  updated: number;
  unchanged: number;
  bad: number;
  seconds: number;
  dry_run: boolean;
  stopped?: string;
}): string {
  const { rows, added, updated, unchanged, bad, seconds, stopped } = result;
  const counts = `${thousands(added)} added, ${thousands(updated)} updated, ${thousands(unchanged)} unchanged, ${thousands(bad)} bad`;
  const rate = thousands(Math.round(rows / Math.max(seconds, 0.001)));
  const text = `${thousands(rows)} rows${result.dry_run ? ' would be' : ''}: ${counts} (${seconds.toFixed(1)} s, ${rate} rows/s).`;
  return stopped ? `${text}\nIt stopped early: ${stopped} What was sent is stored; run it again to go on.` : text;
}

const cannotRead =
  (path: string) =>
  (error: NodeJS.ErrnoException): never => {
    if (error instanceof CsvError) throw error;
    const reason = error.code === 'ENOENT' ? 'there is no such file' : error.message;
    throw new Complaint(`${path} cannot be read: ${reason}.`, 2);
  };

/** Takes numbers out of the pool, one after the other. The exit code: 0 all are out, 1 some are not. */
export async function withdrawNumbers(api: Api, numbers: string[], options: { json?: boolean }): Promise<number> {
  const results: { number: string; withdrawn: boolean; problem?: string }[] = [];
  for (const number of numbers) {
    try {
      await api.call('DELETE', `/v2/number/pool/${encodeURIComponent(number)}/`);
      results.push({ number, withdrawn: true });
    } catch (error) {
      // What was refused is said; that nobody answers is not.
      if (!(error instanceof Complaint) || error.exitCode !== 1) throw error;
      results.push({ number, withdrawn: false, problem: error.message });
    }
  }
  if (options.json) console.log(JSON.stringify(results));
  else
    for (const { number, problem } of results) console.log(problem ? `${number}: ${problem}` : `${number}: withdrawn.`);
  return results.every(({ withdrawn }) => withdrawn) ? 0 : 1;
}
