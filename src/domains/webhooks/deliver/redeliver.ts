import type { Deps } from '../../../deps.ts';
import { inTransaction } from '../../../platform/db/connect/pool.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { within } from '../../../platform/within.ts';
import { payloadOf, webhookTopic } from '../announce.ts';
import { type EndpointKey, isEnabled, lockEndpoint } from '../queries.ts';
import { type DeliveryRow, findDelivery, insertDelivery, requeue } from './delivery-queries.ts';

/** Sends a delivery again, whatever became of it: the same event, the same id, a new schedule. */
export async function redeliver(deps: Deps, accountId: string, uuid: string): Promise<DeliveryRow> {
  const row = await inTransaction(deps.db, async (db) => {
    const delivery = await findDelivery(db, accountId, uuid);
    if (!delivery) throw notFound();
    if (!(await isEnabled(db, accountId, delivery.endpoint))) throw new ApiError('webhook_disabled');
    const queued = await requeue(db, accountId, delivery);
    // It was too old to be kept, and went in this very moment.
    if (!queued) throw notFound();
    return queued;
  });
  deps.listener.signal(webhookTopic, '');
  return row;
}

/** Sends a ping to one webhook, through the queue that its events take. */
export async function sendPing(deps: Deps, accountId: string, key: EndpointKey): Promise<DeliveryRow> {
  const row = await within(deps, async (deps) => {
    const { db } = deps;
    const endpoint = await lockEndpoint(db, accountId, key);
    if (!endpoint) throw notFound();
    if (!endpoint.enabled) throw new ApiError('webhook_disabled');
    const type = 'test.ping';
    const payload = payloadOf({ type, data: { webhook: endpoint.uuid } }, deps.clock.now());
    return insertDelivery(db, accountId, { uuid: newId(), endpoint: endpoint.uuid, event: newId(), type, payload });
  });
  deps.listener.signal(webhookTopic, '');
  return row;
}
