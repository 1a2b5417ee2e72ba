import type { Deps } from '../../../deps.ts';
import type { FileName } from '../../../platform/files/files.ts';
import { removeOrphans } from '../../../platform/files/orphans.ts';
import { findOpenAnyAccount } from '../queries.ts';

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
