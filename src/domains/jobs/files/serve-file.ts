import type { Deps } from '../../../deps.ts';
import { notFound } from '../../../platform/errors.ts';
import { csvHeaders } from '../../../platform/http/files/csv.ts';
import { fileAnswer } from '../../../platform/http/files/file-answer.ts';
import type { Answer } from '../../../platform/http/route.ts';
import type { JobRow } from '../queries.ts';
import { resultFile } from './files.ts';

/** The file that a job made: there once it has succeeded, for a week. */
export async function serveResult({ files }: Deps, accountId: string, job: JobRow): Promise<Answer> {
  if (job.status !== 'SUCCEEDED' || job.file_size === null) throw notFound();
  return fileAnswer(files, resultFile(accountId, job.uuid), { headers: csvHeaders(job.type.split('.')[0]!) });
}
