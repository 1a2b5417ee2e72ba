import { opendir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Deps, Task } from '../../deps.ts';
import { removeOrphans } from '../../platform/files/orphans.ts';
import { keptDays, speechDirectory } from '../../platform/speech/sounds.ts';
import { findKnownAnyAccount } from './queries.ts';

const dayMs = 86_400_000;

/** Removes files that no row speaks of, and speech that was not heard for a month. */
export async function sweep({ db, files, clock, config }: Pick<Deps, 'db' | 'files' | 'clock' | 'config'>) {
  const before = (days: number): Date => new Date(clock.now().getTime() - days * dayMs);
  const findKnown = (some: { accountId: string; uuid: string }[]) => findKnownAnyAccount(db, some);
  for (const folder of ['audio', 'sounds']) await removeOrphans(files, { folder, before: before(1), findKnown });
  await removeOld(speechDirectory(config.dataDir), before(keptDays));
}

async function removeOld(directory: string, moment: Date): Promise<void> {
  const entries = await opendir(directory).catch(() => undefined);
  if (!entries) return;
  for await (const { name } of entries) {
    const file = path.join(directory, name);
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile() && found.mtime < moment) await rm(file, { force: true });
  }
}

export const tasks: Task[] = [
  { name: 'audio.sweep', batchSize: 1, cron: '47 3 * * *', handler: (deps) => sweep(deps) },
];
