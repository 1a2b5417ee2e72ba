import type { Deps } from '../../deps.ts';
import { type FileName, makeFiles } from '../../platform/files.ts';
import { findOpenAnyAccount } from './queries.ts';

/** Where the files of jobs are. Each has at most one of a kind, named by the job's own id. */
const folders = ['job-uploads', 'job-results'] as const;
export const uploadFile = (accountId: string, job: string): FileName => `${folders[0]}/${accountId}/${job}`;
export const resultFile = (accountId: string, job: string): FileName => `${folders[1]}/${accountId}/${job}`;

const keptMs = 7 * 86_400_000;
const batchSize = 500;

/** Removes files that were written a week ago and belong to no job that is still to be done. */
export async function purgeJobFilesAnyAccount(deps: Pick<Deps, 'db' | 'config' | 'clock'>): Promise<void> {
  const files = makeFiles(deps.config.dataDir);
  let batch: FileName[] = [];
  const removeOld = async (): Promise<void> => {
    const jobs = batch.map((name) => ({ name, accountId: name.split('/')[1]!, uuid: name.split('/')[2]! }));
    const open = await findOpenAnyAccount(deps.db, jobs);
    for (const { name, uuid } of jobs) if (!open.has(uuid)) await files.delete(name);
    batch = [];
  };
  const before = new Date(deps.clock.now().getTime() - keptMs);
  for (const folder of folders) {
    for await (const name of files.olderThan(folder, before)) if (batch.push(name) === batchSize) await removeOld();
  }
  await removeOld();
}
