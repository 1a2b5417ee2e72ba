import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { pageQuery } from '../../platform/db/page.ts';
import { FreeForm, PageOf, Phone, Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import { nullable } from '../../platform/http/validation/index.ts';
import { searchQuery } from '../directory/index.ts';
import type { AttemptRow, DeliveryRow } from './deliver/delivery-queries.ts';
import { choicesOf, type EndpointKind, type EventType, eventTypeNames, eventTypes } from './event-types.ts';
import type { EndpointRow } from './queries.ts';

/** What endpoints are called on the timeline. */
export const subjectType = 'webhook';

/** How numbers and addresses name a webhook. */
export const Name = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$',
  'x-message': 'Enter up to 100 letters, digits, dots, dashes and underscores, the first a letter or digit.',
  examples: ['crm'],
});

/** An address for the events of one message; `callbackUrlErrors` says the rest about it. */
export const CallbackUrl = Type.String({
  format: 'uri',
  description: 'Where everything about it is POSTed too, signed like a webhook. Private addresses are refused.',
  examples: ['https://example.com/callbacks/48213'],
});

const fieldsOf = (kind: EndpointKind) => ({
  url: Type.String({
    format: 'uri',
    description: 'Where events are POSTed to. Private addresses are refused.',
    examples: ['https://example.com/hooks/parley'],
  }),
  events: Type.Array(Type.Enum(choicesOf(kind)), {
    minItems: 1,
    uniqueItems: true,
    default: ['*'],
    description: 'Which events it hears of; `*` is all.',
  }),
  description: Type.String({ maxLength: 500, default: '' }),
  enabled: Type.Boolean({ default: true, description: 'While it is false, what is under way waits.' }),
});
type Fields = Static<ReturnType<typeof createOf>>;

const createOf = (kind: EndpointKind, more: TProperties, title: string) => {
  const { url, events, description, enabled } = fieldsOf(kind);
  return Type.Object(
    {
      ...more,
      url,
      events: Type.Optional(events),
      description: Type.Optional(description),
      enabled: Type.Optional(enabled),
    },
    { title },
  );
};

const several = <T extends TSchema>(one: T) =>
  Type.Union([one, Type.Array(one, { minItems: 1, maxItems: 100, uniqueItems: true })]);

export const WebhookFilter = Type.Object(
  {
    number: Type.Optional(several(Phone('Either end of an SMS or a call, in any notation.'))),
    sender: Type.Optional(several(Phone('The chat-app number, in any notation.'))),
    intro: Type.Optional(several(Uuid('The chat intro.'))),
  },
  {
    title: 'WebhookFilter',
    description:
      'Only events about these; of each kind one value or a list. Events that are about none of that kind are left out.',
  },
);
export type WebhookFilter = Static<typeof WebhookFilter>;

/** What a request may set; the name of a number webhook is set once. */
export type WebhookFields = Pick<Fields, 'url' | 'events' | 'description' | 'enabled'> & { filter?: WebhookFilter };
export type WebhookPatch = Partial<WebhookFields>;

const state = {
  disabled_reason: Type.String({ description: 'Why Parley disabled it; empty: it did not.' }),
  failing_since: nullable(Timestamp('Since when it has given nothing but failures; null: it has not.')),
  created: Timestamp(),
  modified: Timestamp(),
};

const answerOf = (kind: EndpointKind, more: TProperties) => ({ uuid: Uuid(), ...more, ...fieldsOf(kind), ...state });

/** What answers show of a webhook of any kind. */
const sharedAnswer = answerOf('ACCOUNT', {});

const secret = Type.String({ description: 'Verifies our signatures. Shown this once.', examples: ['whsec_…'] });

/** The wire models of one kind of webhook. */
function modelsOf(
  kind: EndpointKind,
  title: string,
  more: TProperties,
  { once = {}, own = {} }: { once?: TProperties; own?: TProperties },
) {
  const answer = answerOf(kind, more);
  const Webhook = Type.Object(answer, { title });
  return {
    Create: createOf(kind, { ...once, ...own }, `${title}Create`),
    Replace: createOf(kind, own, `${title}Replace`),
    Patch: Type.Partial(Type.Object({ ...fieldsOf(kind), ...own }), { title: `${title}Patch` }),
    Webhook,
    WebhookWithSecret: Type.Object({ ...answer, secret }, { title: `${title}WithSecret` }),
    WebhookPage: PageOf(Webhook, `${title}Page`),
  };
}
export const chatappModels = modelsOf('CHATAPP', 'ChatappWebhook', {}, {});
export const numberModels = modelsOf(
  'NUMBER',
  'NumberWebhook',
  { name: Name },
  { once: { name: Type.Optional({ ...Name, description: 'Left out: one is made up.' }) } },
);
export const accountModels = modelsOf(
  'ACCOUNT',
  'Webhook',
  { filter: WebhookFilter },
  { own: { filter: Type.Optional(WebhookFilter) } },
);

export const CallbackSecret = Type.Object({ secret }, { title: 'CallbackSecret' });

export const WebhookType = Type.Object(
  {
    name: Type.Enum(eventTypeNames),
    description: Type.String(),
    heard_by: Type.Enum(['CHATAPP', 'NUMBER'], {
      description:
        'CHATAPP: the chat-app webhooks. NUMBER: those which the number names. Webhooks of the account may hear of all.',
    }),
  },
  { title: 'WebhookType' },
);
export const WebhookTypePage = PageOf(WebhookType, 'WebhookTypePage');

const Status = Type.Enum(['PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED']);
const deliveryFields = {
  uuid: Uuid(),
  webhook: Uuid('Where it goes; the address of a callback has such an id too.'),
  url: nullable(Type.String({ description: 'Its address; null: the webhook was deleted.' })),
  event: Uuid("The event's id, sent as `webhook-id`."),
  type: Type.Enum(eventTypeNames),
  subject: nullable(Uuid('What the event tells of: the message, call, chat intro…; null: nothing that has an id.')),
  status: Status,
  attempt_count: Type.Integer(),
  next_attempt: nullable(Timestamp('null: there is none.')),
  last_status_code: nullable(Type.Integer()),
  last_error: Type.String(),
  created: Timestamp(),
  modified: Timestamp(),
};
const WebhookAttempt = Type.Object(
  {
    at: Timestamp(),
    status_code: nullable(Type.Integer({ description: 'null: no answer came.' })),
    duration_ms: Type.Integer(),
    response: Type.String({ description: 'The first 1 KiB of the answer.' }),
    error: Type.String(),
  },
  { title: 'WebhookAttempt' },
);
export const WebhookDelivery = Type.Object(deliveryFields, { title: 'WebhookDelivery' });
export const WebhookDeliveryPage = PageOf(WebhookDelivery, 'WebhookDeliveryPage');
export const WebhookDeliveryDetail = Type.Object(
  { ...deliveryFields, payload: FreeForm({ description: 'The body.' }), attempts: Type.Array(WebhookAttempt) },
  { title: 'WebhookDeliveryDetail' },
);

export const DeliveryQuery = Type.Object({
  ...pageQuery,
  webhook: Type.Optional(Uuid('Of this webhook.')),
  type: Type.Optional(Type.Enum(eventTypeNames)),
  status: Type.Optional(Status),
  retrying: Type.Optional(
    Type.Boolean({ description: 'true: those that failed and will be tried again. false: all others.' }),
  ),
  subject: Type.Optional(
    Uuid('Of events that tell of this: the uuid of a message, SMS, call, chat intro, launch, job…'),
  ),
  ...searchQuery,
});

export const presentEndpoint = (row: EndpointRow) => ({
  uuid: row.uuid,
  ...(row.kind === 'NUMBER' && { name: row.name }),
  url: row.url,
  events: row.events,
  ...(row.kind === 'ACCOUNT' && { filter: row.filter }),
  description: row.description,
  enabled: row.enabled,
  disabled_reason: row.disabled_reason,
  failing_since: row.failing_since,
  created: row.created,
  modified: row.modified,
});

export const presentTypes = () => {
  const results = eventTypeNames.map((name) => {
    const [heard_by, description] = eventTypes[name];
    return { name, description, heard_by };
  });
  return { count: results.length, next: null, previous: null, results };
};

export const presentDelivery = (row: DeliveryRow) => ({
  uuid: row.uuid,
  webhook: row.endpoint,
  url: row.url,
  event: row.event,
  type: row.type,
  subject: row.subject,
  status: row.status,
  attempt_count: row.attempts,
  next_attempt: row.next_attempt,
  last_status_code: row.last_status_code,
  last_error: row.last_error,
  created: row.created,
  modified: row.modified,
});

export const presentDetail = (row: DeliveryRow, attempts: AttemptRow[]) => ({
  ...presentDelivery(row),
  payload: JSON.parse(row.payload),
  attempts: attempts.map(({ at, status_code, duration_ms, response, error }) => ({
    at,
    status_code,
    duration_ms,
    response,
    error,
  })),
});

/** What events tell, by their type: the model of `data`. Each domain has those of the events that it announces. */
export type EventData = Partial<Record<EventType, TSchema>>;

const DisabledWebhook = Type.Object(
  {
    ...sharedAnswer,
    events: Type.Array(Type.Enum(['*', ...eventTypeNames]), { description: 'Which events it heard of; `*` is all.' }),
    name: Type.Optional({ ...Name, description: 'Of a number webhook.' }),
    filter: Type.Optional(WebhookFilter),
  },
  { title: 'DisabledWebhook', description: 'A webhook, or the address of a callback, that gets no more events.' },
);

const Ping = Type.Object({ webhook: Uuid('The webhook that is tested.') }, { title: 'Ping' });

export const webhookEvents = { 'webhook.disabled': DisabledWebhook, 'test.ping': Ping } satisfies EventData;
