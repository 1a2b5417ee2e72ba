import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/db/connect/pool.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import { appendEvents } from '../timeline/index.ts';
import { subscriptionCache } from './announce.ts';
import { endPending } from './deliver/delivery-queries.ts';
import { type EndpointKey, lockEndpoint, removeEndpoint } from './queries.ts';
import { subjectType } from './schemas.ts';

/** Deletes a webhook that no number names. What still waits for it is cancelled; its deliveries can still be read. */
export async function deleteWebhook(deps: Deps, accountId: string, key: EndpointKey): Promise<void> {
  await inTransaction(deps.db, async (db) => {
    // Locked first: a number that names it at this moment has committed by then, and is seen.
    const row = await lockEndpoint(db, accountId, key);
    if (!row) throw notFound();
    if (row.kind === 'NUMBER' && (await deps.uses.webhook(db, accountId, row.name)))
      throw new ApiError('webhook_in_use');
    await endPending(db, accountId, row.uuid, { status: 'CANCELLED', error: 'The webhook was deleted.' });
    await removeEndpoint(db, accountId, row.uuid);
    await appendEvents(db, [{ accountId, subjectType, subject: row.uuid, kind: 'webhook.deleted' }]);
  });
  deps.caches.forget(subscriptionCache);
}
