import { type TSchema, Type } from 'typebox';
import type { JsonSchema } from '../validation/plain-schema.ts';
import { Timestamp } from './models.ts';
import { inPascalCase } from './schemas.ts';

/** What the document says of a webhook event. */
export interface EventOperation {
  /** `chatapp.message.status` */
  type: string;
  description: string;
  /** The model of `data`. */
  data: TSchema;
}

const tag = 'Webhooks';

/** `chatapp.message.status` → `ChatappMessageStatusEvent` */
const titleOf = (type: string): string => `${inPascalCase(type)}Event`;

/** The body of an event, as Standard Webhooks has it. */
const eventModel = ({ type, description, data }: EventOperation) =>
  Type.Object(
    {
      type: Type.Literal(type, { description: 'Type of the event.' }),
      timestamp: Timestamp('When it happened: UTC, ISO 8601 with microseconds.'),
      data,
    },
    { title: titleOf(type), description },
  );

/** The `webhooks` of the document, and a model of all events that is told apart by their `type`. */
export function printWebhooks(events: readonly EventOperation[], print: (schema: object) => JsonSchema): object {
  if (events.length === 0) return {};
  const models = events.map(eventModel);
  print({
    title: 'WebhookEvent',
    description: 'Any event that is POSTed to a webhook or a callback address.',
    oneOf: models,
    discriminator: { propertyName: 'type' },
  });
  const webhooks = events.map((event, index) => [event.type, { post: printEvent(event, print(models[index]!)) }]);
  return { webhooks: Object.fromEntries(webhooks) };
}

const printEvent = ({ type, description }: EventOperation, schema: JsonSchema): object => ({
  operationId: `on${inPascalCase(type)}`,
  summary: description.replace(/\.$/, ''),
  description:
    'Signed as Standard Webhooks 1.0 says. It is sent at least once, and not always in order: `webhook-id` tells what came twice, ' +
    '`timestamp` has the order.',
  tags: [tag],
  security: [],
  parameters: headers,
  requestBody: { required: true, content: { 'application/json': { schema } } },
  responses: {
    '2XX': { description: 'Received. Anything else is a failure, and the event is sent again later.' },
    410: { description: 'Gone: the webhook is disabled at once.' },
    429: { description: 'Too much: the webhook is left alone as long as `Retry-After` says.' },
  },
});

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

const headers = [
  header('webhook-id', "The event's id, the same at every attempt.", '019a3c5e-7a10-7000-9d0c-3f1f0f6f3a11'),
  header('webhook-timestamp', 'The moment of this attempt, in seconds since 1970.', '1794734400'),
  header(
    'webhook-signature',
    'HMAC-SHA256 signatures of `id.timestamp.body`, separated by spaces; one match is enough.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];
