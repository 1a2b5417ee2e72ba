import type { Deps } from '../../../deps.ts';
import { notFound } from '../../../platform/errors.ts';
import { csvHeaders } from '../../../platform/http/files/csv.ts';
import { fileAnswer } from '../../../platform/http/files/file-answer.ts';
import type { Answer } from '../../../platform/http/route.ts';
import type { JobRow } from '../queries.ts';
import { resultFile } from './files.ts';

const unsuccessful = new Set(['FAILED', 'CANCELLED']);

/**
 * The file that a job made, for a week. It is there once all of it is stored, which others may have been told already, a moment
 * before the job is called successful.
 */
export async function serveResult({ files }: Deps, accountId: string, job: JobRow): Promise<Answer> {
  if (job.file_size === null || unsuccessful.has(job.status)) throw notFound();
  return fileAnswer(files, resultFile(accountId, job.uuid), { headers: csvHeaders(job.type.split('.')[0]!) });
}
