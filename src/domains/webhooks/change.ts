import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/db/connect/pool.ts';
import { ApiError, notFound, ValidationError } from '../../platform/errors.ts';
import { newCode, newId } from '../../platform/ids.ts';
import { namesRefusedAddress, refusalOf } from '../../platform/outbound/guard.ts';
import { within } from '../../platform/within.ts';
import { phoneReader } from '../accounts/index.ts';
import { appendEvents } from '../timeline/index.ts';
import { subscriptionCache, webhookTopic } from './announce.ts';
import { endPending } from './deliver/delivery-queries.ts';
import { newSecret, overlapMs } from './deliver/sign.ts';
import type { EndpointKind } from './event-types.ts';
import {
  type EndpointKey,
  type EndpointRow,
  insertEndpoint,
  lockEndpoint,
  removeEndpoint,
  updateEndpoint,
} from './queries.ts';
import { subjectType, type WebhookFields, type WebhookFilter, type WebhookPatch } from './schemas.ts';

export type WebhookRequest = Pick<WebhookFields, 'url'> & Partial<WebhookFields> & { name?: string };

/** Everything a request sets, with defaults for what it leaves out. */
export const withDefaults = ({
  url,
  events = ['*'],
  description = '',
  enabled = true,
  filter = {},
}: WebhookRequest) => ({ url, events, description, enabled, filter });

/** A filter as it is stored: as it was written, and in the form that is compared. */
async function filterColumns(deps: Deps, accountId: string, filter: WebhookFilter) {
  const read = await phoneReader(deps, accountId);
  const list = (given: string | string[] | undefined): string[] => [given ?? []].flat();
  return {
    filter: JSON.stringify(filter),
    heard_numbers: list(filter.number).map(read),
    heard_senders: list(filter.sender).map(read),
    heard_intros: list(filter.intro).map((uuid) => uuid.toLowerCase()),
  };
}

/** Private addresses are refused as soon as they can be; names are checked at every connection. undefined: nothing is wrong. */
export const callbackUrlErrors = ({ guards }: Pick<Deps, 'guards'>, url: string): string[] | undefined =>
  namesRefusedAddress(guards.webhook, url) ? [refusalOf('WEBHOOK_ALLOW')] : undefined;

function checkUrl(deps: Pick<Deps, 'guards'>, url: string): void {
  const errors = callbackUrlErrors(deps, url);
  if (errors) throw new ValidationError({ url: errors });
}

/** Makes a webhook. Its secret is shown now and never again. */
export async function createWebhook(
  deps: Deps,
  accountId: string,
  kind: EndpointKind,
  request: WebhookRequest,
): Promise<{ row: EndpointRow; secret: string }> {
  checkUrl(deps, request.url);
  const secret = newSecret();
  const { filter, ...fields } = withDefaults(request);
  const row = await within(deps, async (deps) => {
    const { db } = deps;
    const row = await insertEndpoint(db, accountId, {
      uuid: newId(),
      kind,
      name: kind === 'NUMBER' ? (request.name ?? newCode(10)) : '',
      ...fields,
      ...(await filterColumns(deps, accountId, filter)),
      secret: deps.vault.seal(secret),
    });
    if (!row) throw new ValidationError({ name: ['This field must be unique.'] });
    await appendEvents(db, [{ accountId, subjectType, subject: row.uuid, kind: 'webhook.created' }]);
    return row;
  });
  deps.caches.forget(subscriptionCache);
  return { row, secret };
}

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

/** Gives a webhook a new secret. The one it replaces signs too for a day, so that the receiver can change over in peace. */
export async function rotateSecret(
  { db, vault, clock }: Deps,
  accountId: string,
  key: EndpointKey,
): Promise<{ row: EndpointRow; secret: string }> {
  const secret = newSecret();
  return inTransaction(db, async (db) => {
    const before = await lockEndpoint(db, accountId, key);
    if (!before) throw notFound();
    const row = await updateEndpoint(db, accountId, before.uuid, {
      secret: vault.seal(secret),
      previous_secret: before.secret,
      previous_secret_until: new Date(clock.now().getTime() + overlapMs).toISOString(),
    });
    await appendEvents(db, [{ accountId, subjectType, subject: row.uuid, kind: 'webhook.secret_rotated' }]);
    return { row, secret };
  });
}

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
