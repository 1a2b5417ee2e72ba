import { Type } from 'typebox';
import { type Deps, route } from '../../../deps.ts';
import { orderedBy, pageQuery } from '../../../platform/db/page.ts';
import { PageOf, Phone, presentPage, Recipient, Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import { ok } from '../../../platform/http/route.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { searchQuery, withSought } from '../../directory/index.ts';
import { windowMs } from '../receive/people.ts';
import { Message, presentMessage } from '../schemas.ts';
import { type ConversationRow, listConversations } from './queries.ts';

const Conversation = Type.Object(
  {
    chatapp_account: Uuid('The sender that the person wrote to.'),
    chatapp_number: Type.String(),
    number: Type.String({ description: 'The person.' }),
    name: Type.String({
      description:
        'As they call themselves, or else as the contact with their number is called; `""` if neither is known.',
    }),
    last_inbound: Timestamp('When they last wrote.'),
    window_closes: Timestamp('Until then anything may be sent to them; after that, templates alone.'),
    is_open: Type.Boolean({ description: 'Whether that moment is still to come.' }),
    last_message: Type.Union([Message, Type.Null()], { description: 'The last thing that either side said.' }),
  },
  { title: 'Conversation' },
);

export const conversationRoutes = [
  route({
    method: 'GET',
    url: '/v2/chatapp/conversations/',
    operationId: 'listConversations',
    summary: 'List conversations: people who wrote, with the last message',
    description:
      'By `created`, they are in the order in which people last wrote; by `last_message`, in that of the last message that came or left, whoever wrote it. A message that still waits to leave moves nothing. The messages are at `/v2/chatapp/messages/?chatapp_number=…&with=…`.',
    tag: 'Chat-app messages',
    scope: 'inbox:read',
    query: Type.Object({
      ...pageQuery,
      ...orderedBy('last_message'),
      chatapp_number: Type.Optional(Phone('The business number.')),
      number: Type.Optional(Recipient('The person.')),
      ...searchQuery,
    }),
    responses: { 200: PageOf(Conversation, 'ConversationPage') },
    handler: async ({ deps, accountId, principal, query, url }) => {
      const filters = await withSought(deps.db, principal, query);
      return ok(presentPage(await listConversations(deps.db, accountId, filters), url(), presenter(deps, accountId)));
    },
  }),
];

const presenter =
  ({ carriers }: Deps, accountId: string) =>
  ({ carrier, last_inbound_at, window_closed, lastMessage, ...row }: ConversationRow) => {
    const closesMs = Date.parse(last_inbound_at) + windowMs;
    return {
      chatapp_account: row.chatapp_account,
      chatapp_number: row.chatapp_number,
      number: row.number,
      name: row.name,
      last_inbound: last_inbound_at,
      window_closes: timestamp(new Date(closesMs)),
      is_open: !window_closed && closesMs > carriers.get(carrier).clock(accountId).now().getTime(),
      last_message: lastMessage ? presentMessage(lastMessage) : null,
    };
  };
