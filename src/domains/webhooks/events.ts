import { type TSchema, Type } from 'typebox';
import { Uuid } from '../../platform/http/openapi/models.ts';
import { type EventType, eventTypeNames } from './event-types.ts';
import { Name, sharedAnswer, WebhookFilter } from './schemas.ts';

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
