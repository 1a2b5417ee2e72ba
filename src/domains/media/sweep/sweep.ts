import type { Deps } from '../../../deps.ts';
import { removeOrphans } from '../../../platform/files/orphans.ts';
import {
  findKnownAnyAccount,
  forgetExpiredUploadsAnyAccount,
  giveUpAnyAccount,
  listLateAnyAccount,
} from './queries.ts';

const dayMs = 86_400_000;

/** Removes files that no row speaks of, forgets what carriers have forgotten, and asks again for what is still not here. */
export async function sweep(deps: Deps): Promise<void> {
  const yesterday = new Date(deps.clock.now().getTime() - dayMs);
  await deps.files.discardTemporary(yesterday);
  await removeOrphans(deps.files, {
    folder: 'media',
    before: yesterday,
    findKnown: (files) => findKnownAnyAccount(deps.db, files),
  });
  await forgetExpiredUploadsAnyAccount(deps.db);
  await giveUpAnyAccount(deps.db);
  const late = await listLateAnyAccount(deps.db);
  if (late.length > 0) await deps.queue.enqueue(deps.db, 'media.fetch', late);
}
