import { Readable } from 'node:stream';
import type { Deps } from '../../deps.ts';
import { openRows, type Row, readRows } from '../../platform/csv/read.ts';
import { csvLine } from '../../platform/csv/write.ts';
import { notFound } from '../../platform/errors.ts';
import { type FileName, removeOrphans } from '../../platform/files/files.ts';
import { csvHeaders } from '../../platform/http/files/csv.ts';
import { fileAnswer } from '../../platform/http/files/file-answer.ts';
import type { Answer } from '../../platform/http/route.ts';
import { refusalColumn } from '../contacts/index.ts';
import { findDelimiter, findOpenAnyAccount, type JobRow } from './queries.ts';
import { findFailures, type ResultRow } from './result-queries.ts';

/** Where the files of jobs are. Each has at most one of a kind, named by the job's own id. */
const folders = ['job-uploads', 'job-results'] as const;
export const uploadFile = (accountId: string, job: string): FileName => `${folders[0]}/${accountId}/${job}`;
export const resultFile = (accountId: string, job: string): FileName => `${folders[1]}/${accountId}/${job}`;

const keptMs = 7 * 86_400_000;

/** Removes files that were written a week ago and belong to no job that is still to be done. */
export async function purgeJobFilesAnyAccount({ db, files, clock }: Pick<Deps, 'db' | 'files' | 'clock'>) {
  const before = new Date(clock.now().getTime() - keptMs);
  const findKnown = (some: { accountId: string; uuid: string }[]) => findOpenAnyAccount(db, some);
  for (const folder of folders) await removeOrphans(files, { folder, before, findKnown });
}

const unsuccessful = new Set(['FAILED', 'CANCELLED']);

/**
 * The file that a job made, for a week. It is there once all of it is stored, which others may have been told already, a moment
 * before the job is called successful.
 */
export async function serveResult({ files }: Deps, accountId: string, job: JobRow): Promise<Answer> {
  if (job.file_size === null || unsuccessful.has(job.status)) throw notFound();
  return fileAnswer(files, resultFile(accountId, job.uuid), { headers: csvHeaders(job.type.split('.')[0]!) });
}

const failuresAtOnce = 1000;

/** The rows of an uploaded file that were refused, with all their columns and why: to be mended and uploaded again. */
export async function serveRefusedRows(deps: Deps, accountId: string, job: JobRow): Promise<Answer> {
  if (!job.from_file || job.finished_at === null) throw notFound();
  const name = uploadFile(accountId, job.uuid);
  if ((await deps.files.size(name)) === undefined) throw notFound();
  const source = async function* () {
    const file = await deps.files.get(name);
    if (file) yield* file.bytes;
  };
  const delimiter = (await findDelimiter(deps.db, accountId, job.uuid)) ?? undefined;
  const lines = refusedLines(readRows(source, { delimiter }), failuresOf(deps, accountId, job.uuid));
  // What goes wrong with the first lines is answered as an error.
  const first = await lines.next();
  const text = async function* () {
    if (!first.done) yield first.value;
    yield* lines;
  };
  return { status: 200, body: Readable.from(text()), headers: csvHeaders('refused-rows') };
}

async function* failuresOf({ db }: Deps, accountId: string, job: string): AsyncGenerator<ResultRow> {
  let after: string | undefined;
  do {
    const found = await findFailures(db, accountId, job, failuresAtOnce, after);
    yield* found;
    after = found.length === failuresAtOnce ? found.at(-1)!.uuid : undefined;
  } while (after);
}

/** Both come in the order of the lines, so that neither is held as a whole. */
async function* refusedLines(
  groups: AsyncGenerator<Row[]>,
  failures: AsyncGenerator<ResultRow>,
): AsyncGenerator<string> {
  const { header, rows: rest } = await openRows(groups);
  const titles = header.error === undefined ? header.cells : [];
  const old = titles.indexOf(refusalColumn);
  const without = (cells: string[]): string[] => (old < 0 ? cells : cells.toSpliced(old, 1));
  const width = without(titles).length;
  yield csvLine([...without(titles), refusalColumn]);
  let failure = await failures.next();
  for await (const rows of rest) {
    let text = '';
    for (const row of rows) {
      while (!failure.done && failure.value.index < row.line) failure = await failures.next();
      if (failure.done || failure.value.index !== row.line) continue;
      const reason = reasonOf(failure.value.value);
      if (reason === undefined) continue;
      const cells = without(row.error === undefined ? row.cells : [row.text ?? '']);
      const padded = Array.from({ length: width }, (_, place) => cells[place] ?? '');
      text += csvLine([...padded, reason, ...cells.slice(width)]);
    }
    if (text !== '') yield text;
    if (failure.done) return;
  }
}

/** `phone_number: Enter a valid phone number.`; undefined: it was of a person who was erased. */
function reasonOf(errors: unknown): string | undefined {
  const found = Object.entries(errors as Record<string, unknown>);
  if (found.some(([name]) => name === 'erased')) return undefined;
  return found
    .map(([name, sentences]) => {
      const words = [sentences]
        .flat()
        .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
        .join(' ');
      return name === 'non_field_errors' || name === 'detail' ? words : `${name}: ${words}`;
    })
    .join(' ');
}
