import type { Deps } from '../../deps.ts';
import { notFound } from '../../platform/errors.ts';
import { makeFiles } from '../../platform/files.ts';
import { csvHeaders } from '../../platform/http/csv.ts';
import type { Answer } from '../../platform/http/route.ts';
import { resultFile } from './files.ts';
import type { JobRow } from './queries.ts';

/** The file that a job made: there once it has succeeded, for a week. */
export async function serveResult({ config }: Deps, accountId: string, job: JobRow): Promise<Answer> {
  if (job.status !== 'SUCCEEDED' || job.file_size === null) throw notFound();
  const body = await makeFiles(config.dataDir).read(resultFile(accountId, job.uuid));
  if (!body) throw notFound();
  return {
    status: 200,
    body,
    headers: {
      ...csvHeaders(job.type.split('.')[0]!),
      'content-length': String(job.file_size),
      'x-content-type-options': 'nosniff',
    },
  };
}
