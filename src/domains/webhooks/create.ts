import type { Deps } from '../../deps.ts';
import { ValidationError } from '../../platform/errors.ts';
import { newCode, newId } from '../../platform/ids.ts';
import { namesRefusedAddress, refusalOf } from '../../platform/outbound/guard.ts';
import { within } from '../../platform/within.ts';
import { phoneReader } from '../accounts/index.ts';
import { appendEvents } from '../timeline/index.ts';
import { subscriptionCache } from './announce.ts';
import { newSecret } from './deliver/sign.ts';
import type { EndpointKind } from './event-types.ts';
import { type EndpointRow, insertEndpoint } from './queries.ts';
import { subjectType, type WebhookFields, type WebhookFilter } from './schemas.ts';

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
export async function filterColumns(deps: Deps, accountId: string, filter: WebhookFilter) {
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

export function checkUrl(deps: Pick<Deps, 'guards'>, url: string): void {
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
