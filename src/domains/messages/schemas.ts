import { type Static, Type } from 'typebox';
import { FreeForm, PageOf, Phone, Timestamp, Uuid } from '../../platform/http/models.ts';
import { tagged } from '../../platform/http/validation/index.ts';
import { LanguageCode, MessageTemplateComponents, TemplateName } from '../templates/index.ts';
import type { MessageRow, StatusEvent } from './queries.ts';

const text = (most: number) => Type.String({ maxLength: most });
const optionalText = (most: number) => Type.Optional(text(most));
const Place = Type.Optional(Type.Enum(['HOME', 'WORK']));

const ContactCard = Type.Object(
  {
    name: Type.Object({
      formatted_name: Type.String({ minLength: 1, maxLength: 255 }),
      first_name: optionalText(255),
      last_name: optionalText(255),
    }),
    addresses: Type.Optional(
      Type.Array(
        Type.Object({
          street: optionalText(255),
          city: optionalText(255),
          state: optionalText(255),
          zip: optionalText(50),
          country: optionalText(255),
          country_code: optionalText(10),
          type: Place,
        }),
        { maxItems: 50 },
      ),
    ),
    birthday: Type.Optional(Type.String({ format: 'date' })),
    emails: Type.Optional(
      Type.Array(Type.Object({ email: Type.String({ minLength: 3, maxLength: 320 }), type: Place }), { maxItems: 50 }),
    ),
    org: Type.Optional(
      Type.Object({ company: optionalText(255), department: optionalText(255), title: optionalText(255) }),
    ),
    phones: Type.Optional(
      Type.Array(Type.Object({ phone: Type.String({ minLength: 1, maxLength: 64 }), type: Place }), { maxItems: 50 }),
    ),
    urls: Type.Optional(
      Type.Array(Type.Object({ url: Type.String({ format: 'uri' }), type: Place }), { maxItems: 50 }),
    ),
  },
  { title: 'ContactCard' },
);

export const MessageCreate = tagged(
  'type',
  {
    chatapp_number: Phone('The chat-app account number it is sent from.'),
    to_chatapp_number: Phone('The person it goes to.'),
    meta_data: Type.Optional(FreeForm({ description: 'Kept with the message and returned with it.' })),
  },
  {
    // 257 is the platform's own limit of cards in one message.
    CONTACTS: { contacts: Type.Array(ContactCard, { minItems: 1, maxItems: 257 }) },
    TEMPLATE: {
      template: Type.Object({
        template_name: TemplateName,
        components: Type.Optional(MessageTemplateComponents),
        language_code: Type.Optional(LanguageCode),
      }),
    },
  },
  { title: 'MessageCreate' },
);
export type MessageCreate = Static<typeof MessageCreate>;

export const MessageType = Type.Enum(['CONTACTS', 'TEMPLATE'], { title: 'MessageType' });
export const MessageDirection = Type.Enum(['OUTBOUND', 'INBOUND'], { title: 'MessageDirection' });
export const MessageStatus = Type.Enum(['QUEUED', 'SENT', 'DELIVERED', 'READ', 'FAILED', 'CANCELLED', 'RECEIVED'], {
  title: 'MessageStatus',
  description:
    'Moves forward only: QUEUED → SENT → DELIVERED → READ. FAILED and CANCELLED are final; inbound is RECEIVED.',
});

export const Message = Type.Object(
  {
    uuid: Uuid(),
    type: MessageType,
    status: MessageStatus,
    status_description: Type.String({ description: 'Why it failed, in words and with the code of the carrier.' }),
    chatapp_number: Type.String(),
    direction: MessageDirection,
    from_chatapp_number: Type.String(),
    to_chatapp_number: Type.String(),
    message_data: FreeForm({ description: 'The content as sent; a template gains its `language_code`.' }),
    meta_data: FreeForm(),
    context_data: FreeForm(),
    created: Timestamp(),
    modified: Timestamp(),
  },
  { title: 'Message' },
);
export const MessagePage = PageOf(Message, 'MessagePage');

export const MessageStatusLog = Type.Object(
  {
    uuid: Uuid(),
    status: MessageStatus,
    status_description: Type.String(),
    applied: Type.Boolean({ description: 'false: it came late or twice and changed nothing.' }),
    created: Timestamp(),
  },
  { title: 'MessageStatusLog' },
);
export const MessageStatusLogPage = PageOf(MessageStatusLog, 'MessageStatusLogPage');

const count = Type.Integer({ minimum: 0 });
export const Ledger = Type.Object(
  {
    accepted: count,
    final: Type.Object({ delivered: count, read: count, failed: count, cancelled: count }),
    pending: Type.Object({ queued: count, sent: count }),
    unaccounted: Type.Integer({ description: 'accepted − final − pending. Anything but 0 is a fault of ours.' }),
  },
  { title: 'Ledger', description: 'Counted from the rows themselves: accepted = final + pending.' },
);

export const presentMessage = (row: MessageRow) => ({
  uuid: row.uuid,
  type: row.type,
  status: row.status,
  status_description: row.status_description,
  chatapp_number: row.chatapp_number,
  direction: row.direction,
  from_chatapp_number: row.from_chatapp_number,
  to_chatapp_number: row.to_chatapp_number,
  message_data: row.message_data,
  meta_data: row.meta_data,
  context_data: row.context_data,
  created: row.created,
  modified: row.modified,
});

export const presentStatusLog = (event: StatusEvent) => ({
  uuid: event.uuid,
  status: event.data.status,
  status_description: event.data.status_description ?? '',
  applied: event.data.applied ?? true,
  created: event.at,
});
