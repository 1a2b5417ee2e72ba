import { type Static, Type } from 'typebox';
import { route } from '../../deps.ts';
import { pageQuery } from '../../platform/db/page.ts';
import { notFound } from '../../platform/errors.ts';
import { ManyResult, Phone, presentPage, Recipient, Uuid, UuidParams } from '../../platform/http/openapi/models.ts';
import { ok } from '../../platform/http/route.ts';
import { aliasOf } from '../../platform/http/validation/index.ts';
import { searchQuery, withSought } from '../directory/index.ts';
import { ResendResult } from '../outbox/index.ts';
import { Feedback, FeedbackCreate } from '../safeguards/index.ts';
import { readSenderQueue, SenderQueue } from './deliver/queue.ts';
import { findMessage, listMessages, listStatusEvents, readMessages } from './queries.ts';
import { markRead } from './receive/mark-read.ts';
import {
  acceptedText,
  Message,
  MessageCreate,
  MessageDirection,
  MessagePage,
  MessageStatus,
  MessageStatusLogPage,
  MessagesToCancel,
  MessagesToResend,
  MessageType,
  presentMessage,
  presentStatusLog,
} from './schemas.ts';
import { cancelMessage, cancelMessages } from './send/cancel.ts';
import { resendMessages } from './send/resend.ts';
import { confirmMessage, sendMessage } from './send/send.ts';

const tag = 'Chat-app messages';

/** Whose a message is, for tokens that are bound to some numbers. */
const ofMessage = {
  object: { url: '/v2/chatapp/messages/:uuid/', number: (message: Static<typeof Message>) => message.chatapp_number },
};

export const routes = [
  route({
    method: 'POST',
    url: '/v2/chatapp/messages/',
    operationId: 'createMessage',
    summary: 'Send a chat-app message',
    tag,
    scope: 'inbox:write',
    audit: false,
    body: MessageCreate,
    responses: { 201: Message },
    example: {
      chatapp_number: '+44 7700 900001',
      to_chatapp_number: '+44 7700 900123',
      type: 'TEMPLATE',
      template: {
        template_name: 'viewing_confirmed',
        components: [{ type: 'body', parameters: [{ type: 'text', text: 'Ana' }] }],
      },
    },
    bound: { numbers: ({ body }) => [body.chatapp_number] },
    handler: async ({ deps, accountId, body }) => ({
      status: 201,
      text: acceptedText(await sendMessage(deps, accountId, body)),
    }),
  }),
  route({
    method: 'GET',
    url: '/v2/chatapp/messages/',
    operationId: 'listMessages',
    reads: 'csv',
    summary: 'List messages',
    tag,
    scope: 'inbox:read',
    query: Type.Object({
      ...pageQuery,
      chatapp_number: Type.Optional(Phone('The business number.')),
      to: Type.Optional(Recipient('Recipient.')),
      from: Type.Optional(Recipient('Sender.')),
      to_chatapp_number: aliasOf('to', Recipient()),
      from_chatapp_number: aliasOf('from', Recipient()),
      with: Type.Optional(Recipient('Sender or recipient: both sides of a conversation.')),
      direction: Type.Optional(MessageDirection),
      type: Type.Optional(MessageType),
      status: Type.Optional(MessageStatus),
      campaign_log: Type.Optional(Uuid()),
      chat_intro: Type.Optional(Uuid()),
      q: Type.Optional(
        Type.String({
          pattern: '\\d',
          maxLength: 64,
          'x-message': 'Enter the first digits of a number.',
          description: 'First digits of either number.',
        }),
      ),
      ...searchQuery,
    }),
    responses: { 200: MessagePage },
    csv: {
      name: 'messages',
      columns: Object.keys(Message.properties),
      async *rows({ deps, accountId, principal, query }) {
        const filters = await withSought(deps.db, principal, query);
        for await (const rows of readMessages(deps.db, accountId, filters, principal.country))
          yield rows.map(presentMessage);
      },
    },
    bound: { numbers: ({ query }) => [query.chatapp_number] },
    handler: async ({ deps, accountId, principal, query, url }) => {
      const filters = await withSought(deps.db, principal, query);
      return ok(presentPage(await listMessages(deps.db, accountId, filters, principal.country), url(), presentMessage));
    },
  }),
  route({
    method: 'POST',
    url: '/v2/chatapp/messages/cancel/',
    operationId: 'cancelMessages',
    summary: 'Cancel up to 1,000 messages that are still queued',
    tag,
    scope: 'inbox:write',
    body: MessagesToCancel,
    responses: { 200: ManyResult },
    example: { messages: ['01936b5e-7c00-7000-8000-000000000001'] },
    handler: async ({ deps, accountId, body }) => ok(await cancelMessages(deps, accountId, body.messages)),
  }),
  route({
    method: 'POST',
    url: '/v2/chatapp/messages/resend/',
    operationId: 'resendMessages',
    summary: 'Send up to 1,000 failed messages again',
    description:
      'Each is accepted as a new message with the same content, after the same checks as any other; the failed one stays as it is. One is ' +
      'sent again at most once, however often it is asked for, and then names the new message as `resent_as`.',
    tag,
    scope: 'inbox:write',
    body: MessagesToResend,
    responses: { 200: ResendResult },
    example: { messages: ['01936b5e-7c00-7000-8000-000000000001'] },
    handler: async ({ deps, accountId, body }) => ok(await resendMessages(deps, accountId, body.messages)),
  }),
  route({
    method: 'GET',
    url: '/v2/chatapp/messages/:uuid/',
    operationId: 'getMessage',
    reads: 'content',
    summary: 'Get a message',
    tag,
    scope: 'inbox:read',
    params: UuidParams,
    responses: { 200: Message },
    bound: ofMessage,
    handler: async ({ deps, accountId, params }) => {
      const message = await findMessage(deps.db, accountId, params.uuid);
      if (!message) throw notFound();
      return ok(presentMessage(message));
    },
  }),
  route({
    method: 'POST',
    url: '/v2/chatapp/messages/:uuid/cancel/',
    operationId: 'cancelMessage',
    summary: 'Cancel a message that is still queued',
    tag,
    scope: 'inbox:write',
    params: UuidParams,
    responses: { 200: Message },
    errors: [409],
    bound: ofMessage,
    handler: async ({ deps, accountId, params }) =>
      ok(presentMessage(await cancelMessage(deps, accountId, params.uuid))),
  }),
  route({
    method: 'POST',
    url: '/v2/chatapp/messages/:uuid/read/',
    operationId: 'markMessageRead',
    summary: 'Mark an inbound message as read',
    description:
      'The person sees that this message and those before it were read. Repeating the request changes nothing.',
    tag,
    scope: 'inbox:write',
    audit: false,
    params: UuidParams,
    responses: { 200: Message },
    bound: ofMessage,
    handler: async ({ deps, accountId, params }) => ok(presentMessage(await markRead(deps, accountId, params.uuid))),
  }),
  route({
    method: 'POST',
    url: '/v2/chatapp/messages/:uuid/feedback/',
    operationId: 'createMessageFeedback',
    summary: 'Report that the person used the one-time password of a message',
    description: 'For the safeguard `otp_conversion`. Repeating the request changes nothing.',
    tag,
    scope: 'inbox:write',
    audit: false,
    params: UuidParams,
    body: FeedbackCreate,
    responses: { 200: Feedback },
    example: { outcome: 'CONFIRMED' },
    bound: ofMessage,
    handler: async ({ deps, accountId, params }) => ok(await confirmMessage(deps, accountId, params.uuid)),
  }),
  route({
    method: 'GET',
    url: '/v2/chatapp/messages/:uuid/status-logs/',
    operationId: 'listMessageStatusLogs',
    summary: 'List the status steps of a message, in order',
    tag,
    scope: 'inbox:read',
    params: UuidParams,
    query: Type.Object({ ...pageQuery, ordering: Type.Enum(['created', '-created'], { default: 'created' }) }),
    responses: { 200: MessageStatusLogPage },
    bound: ofMessage,
    handler: async ({ deps, accountId, params, query, url }) => {
      if (!(await findMessage(deps.db, accountId, params.uuid))) throw notFound();
      return ok(presentPage(await listStatusEvents(deps.db, accountId, params.uuid, query), url(), presentStatusLog));
    },
  }),
  route({
    method: 'GET',
    url: '/v2/chatapp/accounts/:uuid/queue/',
    operationId: 'getSenderQueue',
    summary: 'Get the queue of a sender',
    tag: 'Chat-app accounts',
    scope: 'chatapp:read',
    params: UuidParams,
    responses: { 200: SenderQueue },
    bound: {
      object: {
        url: '/v2/chatapp/accounts/:uuid/',
        number: (sender: { chatapp_number: string }) => sender.chatapp_number,
      },
    },
    handler: async ({ deps, accountId, params }) => ok(await readSenderQueue(deps, accountId, params.uuid)),
  }),
];
