import { opendir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Deps, Task } from '../../deps.ts';
import { type FileName, type Files, makeFiles } from '../../platform/files.ts';
import { keptDays, speechDirectory } from '../../platform/speech/sounds.ts';
import { findKnownAnyAccount } from './queries.ts';

const dayMs = 86_400_000;
const largestBatch = 500;

/** Removes files that no row speaks of, and speech that was not heard for a month. */
export async function sweep({ db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>): Promise<void> {
  const files = makeFiles(config.dataDir);
  const before = (days: number): Date => new Date(clock.now().getTime() - days * dayMs);
  for (const folder of ['audio', 'sounds']) {
    for await (const batch of batches(files.olderThan(folder, before(1)))) await removeUnknown(db, files, batch);
  }
  await removeOld(speechDirectory(config.dataDir), before(keptDays));
}

async function removeUnknown(db: Deps['db'], files: Files, names: FileName[]): Promise<void> {
  const ids = names.map((name) => ({ name, accountId: name.split('/')[1]!, uuid: name.split('/')[2]! }));
  const known = await findKnownAnyAccount(db, ids);
  for (const { name, uuid } of ids) if (!known.has(uuid)) await files.delete(name);
}

async function* batches<T>(source: AsyncIterable<T>): AsyncIterable<T[]> {
  let batch: T[] = [];
  for await (const each of source) {
    if (batch.push(each) < largestBatch) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
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
