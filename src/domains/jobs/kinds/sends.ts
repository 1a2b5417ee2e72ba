import { type Static, Type } from 'typebox';
import type { FieldErrors } from '../../../platform/errors.ts';
import { Phone } from '../../../platform/http/openapi/models.ts';
import { MessageCreate, messageErrors, sendMessages } from '../../messages/index.ts';
import { SmsCreate, sendSmsAll } from '../../sms/index.ts';
import { anyErrors, itemKind, sent } from '../kind.ts';

/** Sends chat-app messages. */
export const messagesSend = itemKind({
  type: 'messages.send',
  scope: 'inbox:write',
  Input: Type.Object(
    { messages: Type.Array(MessageCreate, { minItems: 1, maxItems: 10_000 }) },
    { title: 'MessagesSendInput' },
  ),
  check: async (_deps, _accountId, { messages }) =>
    anyErrors(
      'messages',
      messages.map((message) => (messageErrors(message) ?? {}) as FieldErrors),
    ),
  batchSize: 500,
  itemsOf: ({ messages }) => messages,
  perform: async (deps, accountId, items) =>
    sent(
      await sendMessages(
        deps,
        items.map((request) => ({ accountId, request })),
      ),
    ),
});

const most = 10_000;
const { to: _to, ...shared } = SmsCreate.properties;

const Input = Type.Object(
  {
    messages: Type.Optional(Type.Array(SmsCreate, { minItems: 1, maxItems: most })),
    to: Type.Optional(Type.Array(Phone(), { minItems: 1, maxItems: most, description: 'Recipients of one text.' })),
    ...Type.Partial(Type.Object(shared)).properties,
  },
  {
    title: 'SmsSendInput',
    description: `Up to ${most}: either \`messages\`, or \`from\`, \`to\` and \`text\`.`,
  },
);
type Input = Static<typeof Input>;

/** Sends SMS: each with its own text, or one text to many. */
export const smsSend = itemKind({
  type: 'sms.send',
  scope: 'sms:write',
  Input,
  check: async (_deps, _accountId, input) => shapeErrors(input),
  batchSize: 500,
  itemsOf,
  perform: async (deps, accountId, items) =>
    sent(
      await sendSmsAll(
        deps,
        items.map((request) => ({ accountId, request })),
      ),
    ),
});

function itemsOf({ messages, to, ...rest }: Input): SmsCreate[] {
  return messages ?? to!.map((one) => ({ ...rest, to: one }) as SmsCreate);
}

function shapeErrors({ messages, from, to, text }: Input): FieldErrors | undefined {
  if (messages !== undefined) {
    return to === undefined ? undefined : { non_field_errors: ['Give either messages or to.'] };
  }
  const missing = Object.entries({ from, to, text }).filter(([, value]) => value === undefined);
  if (missing.length === 0) return undefined;
  return Object.fromEntries(missing.map(([field]) => [field, ['This field is required.']]));
}
