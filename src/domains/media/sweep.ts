import type { Deps } from '../../deps.ts';
import { type FileName, makeFiles } from '../../platform/files.ts';
import {
  findKnownAnyAccount,
  forgetExpiredUploadsAnyAccount,
  giveUpAnyAccount,
  listLateAnyAccount,
} from './sweep-queries.ts';

const dayMs = 86_400_000;
const largestBatch = 500;

/** Removes files that no row speaks of, forgets what carriers have forgotten, and asks again for what is still not here. */
export async function sweep(deps: Deps): Promise<void> {
  const files = makeFiles(deps.config.dataDir);
  const yesterday = new Date(deps.clock.now().getTime() - dayMs);
  await files.discardTemporary(yesterday);
  let batch: FileName[] = [];
  const removeUnknown = async (): Promise<void> => {
    const ids = batch.map((name) => ({ name, accountId: name.split('/')[1]!, uuid: name.split('/')[2]! }));
    const known = await findKnownAnyAccount(deps.db, ids);
    for (const { name, uuid } of ids) if (!known.has(uuid)) await files.delete(name);
    batch = [];
  };
  for await (const name of files.olderThan('media', yesterday)) {
    if (batch.push(name) === largestBatch) await removeUnknown();
  }
  await removeUnknown();
  await forgetExpiredUploadsAnyAccount(deps.db);
  await giveUpAnyAccount(deps.db);
  const late = await listLateAnyAccount(deps.db);
  if (late.length > 0) await deps.queue.enqueue(deps.db, 'media.fetch', late);
}
