import type { Deps } from '../../deps.ts';
import { notFound } from '../../platform/errors.ts';
import { within } from '../../platform/within.ts';
import { leadLink } from '../links/index.ts';
import { deleteKeys } from './match/key-queries.ts';
import { linkCache } from './open/open.ts';
import { markDeleted } from './queries.ts';
import { tellChange } from './tell-change.ts';

/** Takes an intro out of use. It stays in the database: its links answer that they are gone, its logs can be read. */
export async function deleteIntro(deps: Deps, accountId: string, uuid: string): Promise<void> {
  await within(deps, async (deps) => {
    const { db } = deps;
    const row = await markDeleted(db, accountId, uuid);
    if (!row) throw notFound();
    await deleteKeys(db, accountId, uuid);
    await leadLink(db, accountId, uuid, null);
    await tellChange(deps, accountId, row, 'deleted');
  });
  deps.caches.forget(linkCache);
}
