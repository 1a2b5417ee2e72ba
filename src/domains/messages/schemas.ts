import { type Static, Type } from 'typebox';
import { FreeForm, PageOf, Phone, Recipient, Timestamp, Uuid, Uuids } from '../../platform/http/openapi/models.ts';
import { tagged } from '../../platform/http/validation/index.ts';
import { isMasked, maskContent } from '../../platform/text/redact.ts';
import { Location } from '../templates/index.ts';
import { CallbackUrl, type EventData } from '../webhooks/index.ts';
import { CaptionedMedia, Contacts, DocumentMedia, Media, Reaction, Text } from './content/content.ts';
import { interactiveKinds } from './content/interactive.ts';
import { Template } from './content/template.ts';
import type { MessageRow, QueuedMessage, StatusEvent } from './queries.ts';

const Url = Type.String({ format: 'uri', maxLength: 2048 });

/** The content of each type, under the name that carries it. */
const contents = {
  TEXT: { text: Text },
  IMAGE: { media: CaptionedMedia },
  VIDEO: { media: CaptionedMedia },
  AUDIO: { media: Media },
  DOCUMENT: { media: DocumentMedia },
  STICKER: { media: Media },
  LOCATION: { location: Location },
  CONTACTS: { contacts: Contacts },
  REACTION: { reaction: Reaction },
  INTERACTIVE: { interactive: tagged('type', {}, interactiveKinds(Url, 'Interactive'), { title: 'Interactive' }) },
  TEMPLATE: { template: Template },
};

export const MessageCreate = tagged(
  'type',
  {
    chatapp_number: Phone('The chat-app account number it is sent from.'),
    to_chatapp_number: Recipient('The person it goes to: a number, or the id of one who hides theirs.'),
    context: Type.Optional(
      Type.Object({ message_uuid: Uuid('The message it answers, of the same conversation; shown as a quote.') }),
    ),
    meta_data: Type.Optional(FreeForm({ description: 'Kept with the message and returned with it.' })),
    send_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'Not before this moment, at most 90 days ahead.' }),
    ),
    callback_url: Type.Optional(CallbackUrl),
    expect_feedback: Type.Optional(
      Type.Boolean({
        description:
          'Whether it is a one-time password whose use you report (`…/feedback/`), for the safeguard `otp_conversion`. If left out, what is ' +
          '`sensitive` is.',
      }),
    ),
    sensitive: Type.Optional(
      Type.Boolean({
        description:
          'Whether it is secret, such as a one-time password: webhooks and events come without its content, and the content is ' +
          'removed once it was delivered or has failed. Always so for templates of the category AUTHENTICATION.',
      }),
    ),
  },
  contents,
  { title: 'MessageCreate' },
);
export type MessageCreate = Static<typeof MessageCreate>;

/** What people may send beside most of these. */
const inboundOnly = ['ORDER', 'SYSTEM', 'UNSUPPORTED'] as const;

export const MessageType = Type.Enum([...(Object.keys(contents) as (keyof typeof contents)[]), ...inboundOnly], {
  title: 'MessageType',
});
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
    resent_as: Type.Optional(
      Uuid('The message that was sent in its place, of one that failed and was sent again; left out of any other.'),
    ),
  },
  { title: 'Message' },
);
export const MessagesToResend = Type.Object({ messages: Uuids('The messages.') }, { title: 'MessagesToResend' });
export const MessagesToCancel = Type.Object({ messages: Uuids('The messages.') }, { title: 'MessagesToCancel' });

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
  message_data: isMasked(row.sensitive, row.status) ? maskContent(row.message_data) : row.message_data,
  meta_data: row.meta_data,
  context_data: row.context_data,
  created: row.created,
  modified: row.modified,
  ...(row.resent_as && { resent_as: row.resent_as }),
});

/** As webhooks tell it: of a sensitive one they are never told what it says. */
export const presentToWebhooks = (row: MessageRow) => ({
  ...presentMessage(row),
  ...(row.sensitive && { message_data: maskContent(row.message_data) }),
});

/** The same, as JSON text, of one that has just been accepted: its parts are JSON already. */
export function acceptedText(message: QueuedMessage & { moment: string }): string {
  const { uuid, type, message_data, meta_data, context_data, moment } = message;
  const number = JSON.stringify(message.chatapp_number);
  return `{"uuid":"${uuid}","type":"${type}","status":"QUEUED","status_description":"","chatapp_number":${number},"direction":"OUTBOUND","from_chatapp_number":${number},"to_chatapp_number":${JSON.stringify(message.to_chatapp_number)},"message_data":${message_data},"meta_data":${meta_data},"context_data":${context_data},"created":"${moment}","modified":"${moment}"}`;
}

export const presentStatusLog = (event: StatusEvent) => ({
  uuid: event.uuid,
  status: event.data.status,
  status_description: event.data.status_description ?? '',
  applied: event.data.applied ?? true,
  created: event.at,
});

const FlowAnswered = Type.Object(
  {
    flow_token: Type.String({ description: 'The token that the flow was sent with; empty: it had none.' }),
    answers: FreeForm({ description: 'What the person entered, by field.' }),
    message: Message,
  },
  { title: 'FlowAnswered' },
);

export const messageEvents = {
  'chatapp.message.received': Message,
  'chatapp.message.status': Message,
  'chatapp.flow.answered': FlowAnswered,
} satisfies EventData;
