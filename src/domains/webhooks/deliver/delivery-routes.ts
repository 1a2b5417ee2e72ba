import { route } from '../../../deps.ts';
import { notFound } from '../../../platform/errors.ts';
import { presentPage, UuidParams } from '../../../platform/http/openapi/models.ts';
import { created, ok } from '../../../platform/http/route.ts';
import { withSought } from '../../directory/index.ts';
import {
  DeliveryQuery,
  presentDelivery,
  presentDetail,
  presentTypes,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryPage,
  WebhookTypePage,
} from '../schemas.ts';
import { attemptsOf, findDelivery, listDeliveries } from './delivery-queries.ts';
import { redeliver } from './redeliver.ts';

const tag = 'Webhooks';

export const deliveryRoutes = [
  route({
    method: 'GET',
    url: '/v2/webhook-types/',
    operationId: 'listWebhookTypes',
    summary: 'Webhook types',
    tag,
    scope: 'webhook:read',
    responses: { 200: WebhookTypePage },
    handler: async () => ok(presentTypes()),
  }),
  route({
    method: 'GET',
    url: '/v2/webhook-deliveries/',
    operationId: 'listWebhookDeliveries',
    summary: 'List webhook deliveries',
    tag,
    scope: 'webhook:read',
    query: DeliveryQuery,
    responses: { 200: WebhookDeliveryPage },
    handler: async ({ deps, accountId, principal, query, url }) => {
      const filters = await withSought(deps.db, principal, query);
      return ok(presentPage(await listDeliveries(deps.db, accountId, filters), url(), presentDelivery));
    },
  }),
  route({
    method: 'GET',
    url: '/v2/webhook-deliveries/:uuid/',
    operationId: 'getWebhookDelivery',
    summary: 'Get a webhook delivery with all its attempts',
    tag,
    scope: 'webhook:read',
    params: UuidParams,
    responses: { 200: WebhookDeliveryDetail },
    handler: async ({ deps, accountId, params }) => {
      const row = await findDelivery(deps.db, accountId, params.uuid);
      if (!row) throw notFound();
      return ok(presentDetail(row, await attemptsOf(deps.db, accountId, row.uuid)));
    },
  }),
  route({
    method: 'POST',
    url: '/v2/webhook-deliveries/:uuid/redeliver/',
    operationId: 'redeliverWebhook',
    summary: 'Send a webhook delivery again',
    description:
      'Sends the same event with the same `webhook-id` at once, whatever its status, and starts a new retry schedule.',
    tag,
    scope: 'webhook:write',
    params: UuidParams,
    responses: { 201: WebhookDelivery },
    errors: [409],
    handler: async ({ deps, accountId, params }) =>
      created(presentDelivery(await redeliver(deps, accountId, params.uuid))),
  }),
];
