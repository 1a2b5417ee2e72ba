import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/db/connect/pool.ts';
import { notFound } from '../../platform/errors.ts';
import { leadLink } from '../links/index.ts';
import { appendEvents } from '../timeline/index.ts';
import { deleteKeys } from './match/key-queries.ts';
import { linkCache } from './open/open.ts';
import { markDeleted } from './queries.ts';

/** Takes an intro out of use. It stays in the database: its links answer that they are gone, its logs can be read. */
export async function deleteIntro(deps: Deps, accountId: string, uuid: string): Promise<void> {
  await inTransaction(deps.db, async (db) => {
    if (!(await markDeleted(db, accountId, uuid))) throw notFound();
    await deleteKeys(db, accountId, uuid);
    await leadLink(db, accountId, uuid, null);
    await appendEvents(db, [{ accountId, subjectType: 'chat_intro', subject: uuid, kind: 'chat_intro.deleted' }]);
  });
  deps.caches.forget(linkCache);
}
