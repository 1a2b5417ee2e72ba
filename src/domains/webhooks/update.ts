import type { Deps } from '../../deps.ts';
import { notFound } from '../../platform/errors.ts';
import { within } from '../../platform/within.ts';
import { appendEvents } from '../timeline/index.ts';
import { subscriptionCache, webhookTopic } from './announce.ts';
import { checkUrl, filterColumns } from './create.ts';
import { type EndpointKey, type EndpointRow, lockEndpoint, updateEndpoint } from './queries.ts';
import { subjectType, type WebhookPatch } from './schemas.ts';

/** Changes what the request names. Enabling one that was disabled gives it a fresh start. */
export async function updateWebhook(
  deps: Deps,
  accountId: string,
  key: EndpointKey,
  { url, events, description, enabled, filter }: WebhookPatch,
): Promise<EndpointRow> {
  const row = await within(deps, async (deps) => {
    const { db } = deps;
    const before = await lockEndpoint(db, accountId, key);
    if (!before) throw notFound();
    if (url !== undefined) checkUrl(deps, url);
    const isRevived = enabled === true && !before.enabled;
    const changes = {
      ...(url !== undefined && { url }),
      ...(events && { events }),
      ...(description !== undefined && { description }),
      ...(enabled !== undefined && { enabled }),
      ...(filter && (await filterColumns(deps, accountId, filter))),
      ...(isRevived && { disabled_reason: '', failing_since: null, paused_until: null }),
    };
    const after = await updateEndpoint(db, accountId, before.uuid, changes);
    const data = { fields: Object.keys(changes).filter((name) => !name.startsWith('heard_')) };
    await appendEvents(db, [{ accountId, subjectType, subject: before.uuid, kind: 'webhook.updated', data }]);
    return after;
  });
  deps.caches.forget(subscriptionCache);
  deps.listener.signal(webhookTopic, '');
  return row;
}
