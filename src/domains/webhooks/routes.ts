import { type TObject, type TUnsafe, Type } from 'typebox';
import { route } from '../../deps.ts';
import { pageQuery } from '../../platform/db/page.ts';
import { notFound } from '../../platform/errors.ts';
import { presentPage, UuidParams } from '../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../platform/http/route.ts';
import { rotateCallbackSecret } from './callbacks.ts';
import { createWebhook, deleteWebhook, rotateSecret, updateWebhook, withDefaults } from './change.ts';
import { deliveryRoutes } from './deliver/delivery-routes.ts';
import { sendPing } from './deliver/redeliver.ts';
import { type EndpointKey, findEndpoint, listEndpoints } from './queries.ts';
import {
  accountModels,
  CallbackSecret,
  chatappModels,
  Name,
  numberModels,
  presentDelivery,
  presentEndpoint,
  WebhookDelivery,
} from './schemas.ts';

const tag = 'Webhooks';

/** Of an address; which of the two it has depends on the kind. */
type Params = { uuid: string; name: string };

/** One kind of webhook as the API has it. */
interface Kind {
  kind: EndpointKey['kind'];
  collection: string;
  /** How one of them is addressed. */
  address: string;
  params: TObject;
  keyOf(params: Params): EndpointKey;
  /** In operation ids and summaries. */
  noun: string;
  words: string;
  group: string;
  models: typeof chatappModels | typeof accountModels;
  events: string[];
}

/** The operations on one kind of webhook. All kinds have the same. */
function routesOf(of: Kind) {
  const { kind, collection, address, keyOf, noun, words, models } = of;
  const params = of.params as unknown as TUnsafe<Params>;
  const [read, write] = [`${of.group}:read`, `${of.group}:write`] as const;
  const settings = { url: 'https://example.com/hooks/parley', events: of.events, description: 'CRM' };
  return [
    route({
      method: 'GET',
      url: collection,
      operationId: `list${noun}s`,
      summary: `List ${words}s`,
      tag,
      scope: read,
      query: Type.Object(pageQuery),
      responses: { 200: models.WebhookPage },
      handler: async ({ deps, accountId, query, url }) =>
        ok(presentPage(await listEndpoints(deps.db, accountId, kind, query), url(), presentEndpoint)),
    }),
    route({
      method: 'POST',
      url: collection,
      operationId: `create${noun}`,
      summary: `Create a ${words}; its secret is shown once`,
      tag,
      scope: write,
      body: models.Create,
      responses: { 201: models.WebhookWithSecret },
      example: settings,
      handler: async ({ deps, accountId, body }) => {
        const { row, secret } = await createWebhook(deps, accountId, kind, body);
        return created({ ...presentEndpoint(row), secret });
      },
    }),
    route({
      method: 'GET',
      url: address,
      operationId: `get${noun}`,
      summary: `Get a ${words}`,
      tag,
      scope: read,
      params,
      responses: { 200: models.Webhook },
      tagged: {
        without: ['failing_since', 'disabled_reason', 'modified'],
        row: (accountId, params) => ({
          table: 'webhook_endpoints',
          where: { account_id: accountId, ...keyOf(params as Params) },
        }),
      },
      handler: async ({ deps, accountId, params }) => {
        const row = await findEndpoint(deps.db, accountId, keyOf(params));
        if (!row) throw notFound();
        return ok(presentEndpoint(row));
      },
    }),
    route({
      method: 'PUT',
      url: address,
      operationId: `update${noun}`,
      summary: `Update a ${words}`,
      description: 'Fields that are left out are set to their defaults. The secret does not change.',
      tag,
      scope: write,
      params,
      body: models.Replace,
      responses: { 200: models.Webhook },
      example: settings,
      handler: async ({ deps, accountId, params, body }) =>
        ok(presentEndpoint(await updateWebhook(deps, accountId, keyOf(params), withDefaults(body)))),
    }),
    route({
      method: 'PATCH',
      url: address,
      operationId: `partialUpdate${noun}`,
      summary: `Partially update a ${words}`,
      description: 'Enabling a disabled webhook resets its record of failures.',
      tag,
      scope: write,
      params,
      body: models.Patch,
      responses: { 200: models.Webhook },
      example: { events: ['*'], enabled: true },
      handler: async ({ deps, accountId, params, body }) =>
        ok(presentEndpoint(await updateWebhook(deps, accountId, keyOf(params), body))),
    }),
    route({
      method: 'DELETE',
      url: address,
      operationId: `delete${noun}`,
      summary: `Delete a ${words}`,
      description: 'Pending deliveries are cancelled; past deliveries can still be read.',
      tag,
      scope: write,
      params,
      responses: { 204: null },
      ...(kind === 'NUMBER' && { errors: [409] }),
      handler: async ({ deps, accountId, params }) => {
        await deleteWebhook(deps, accountId, keyOf(params));
        return noContent();
      },
    }),
    route({
      method: 'POST',
      url: `${address}test/`,
      operationId: `test${noun}`,
      summary: `Send a \`test.ping\` to a ${words}`,
      description:
        'It goes through the same queue as every event. The response is its delivery; read it again to see the result.',
      tag,
      scope: write,
      audit: false,
      params,
      responses: { 201: WebhookDelivery },
      errors: [409],
      handler: async ({ deps, accountId, params }) =>
        created(presentDelivery(await sendPing(deps, accountId, keyOf(params)))),
    }),
    route({
      method: 'POST',
      url: `${address}rotate-secret/`,
      operationId: `rotate${noun}Secret`,
      summary: `Give a ${words} a new secret; it is shown once`,
      description:
        'For 24 hours deliveries are signed with the previous secret as well, so that the receiver can switch.',
      tag,
      scope: write,
      fresh: 'session',
      params,
      responses: { 200: models.WebhookWithSecret },
      handler: async ({ deps, accountId, params }) => {
        const { row, secret } = await rotateSecret(deps, accountId, keyOf(params));
        return ok({ ...presentEndpoint(row), secret });
      },
    }),
  ];
}

export const routes = [
  ...routesOf({
    kind: 'CHATAPP',
    collection: '/v2/chatapp/webhooks/',
    address: '/v2/chatapp/webhooks/:uuid/',
    params: UuidParams,
    keyOf: ({ uuid }) => ({ kind: 'CHATAPP', uuid }),
    noun: 'ChatappWebhook',
    words: 'chat-app webhook',
    group: 'chatapp',
    models: chatappModels,
    events: ['chatapp.message.received', 'chatapp.message.status'],
  }),
  ...routesOf({
    kind: 'ACCOUNT',
    collection: '/v2/webhooks/',
    address: '/v2/webhooks/:uuid/',
    params: UuidParams,
    keyOf: ({ uuid }) => ({ kind: 'ACCOUNT', uuid }),
    noun: 'Webhook',
    words: 'webhook',
    group: 'account',
    models: accountModels,
    events: ['sms.received', 'call.ended', 'chatapp.message.received', 'chat_intro.connected'],
  }),
  ...routesOf({
    kind: 'NUMBER',
    collection: '/v2/number/webhooks/',
    address: '/v2/number/webhooks/:name/',
    params: Type.Object({ name: Name }),
    keyOf: ({ name }) => ({ kind: 'NUMBER', name }),
    noun: 'NumberWebhook',
    words: 'number webhook',
    group: 'number',
    models: numberModels,
    events: ['call.ended', 'sms.received'],
  }),
  route({
    method: 'POST',
    url: '/v2/account/callback-secret/',
    operationId: 'rotateCallbackSecret',
    summary: 'Create a new secret for callbacks; it is shown once',
    description:
      'It signs the requests to every `callback_url`. For 24 hours they are signed with the previous secret as well.',
    tag,
    scope: 'account:write',
    fresh: 'session',
    responses: { 201: CallbackSecret },
    handler: async ({ deps, accountId }) => created({ secret: await rotateCallbackSecret(deps, accountId) }),
  }),
  ...deliveryRoutes,
];
