import { sql } from 'kysely';
import { Type } from 'typebox';
import { type Deps, route } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { keysetPage, orderedBy, type PageQuery, pageQuery } from '../../platform/db/page.ts';
import { PageOf, Phone, presentPage, Recipient, Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import { ok } from '../../platform/http/route.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { isSought, type Sought, type SoughtIn, searchQuery, withSought } from '../directory/index.ts';
import { findMessagesAnyAccount, type MessageRow } from './queries.ts';
import { windowMs } from './receive/people.ts';
import { Message, presentMessage } from './schemas.ts';

/** A person who wrote to one of the account's numbers, and the last thing that either side said. */
export interface ConversationRow {
  chatapp_account: string;
  chatapp_number: string;
  carrier: string;
  number: string;
  name: string;
  last_inbound_at: string;
  /** The sender changed its carrier since. */
  window_closed: boolean;
  /** undefined: the last message is so old that it was removed. */
  lastMessage: MessageRow | undefined;
}

export interface ConversationFilters extends Omit<PageQuery, 'ordering'> {
  ordering: string;
  chatapp_number?: string;
  number?: string;
  sought?: Sought | undefined;
}

const soughtIn: SoughtIn = { ids: ['person.last_inbound'], numbers: ['person.digits'] };

/** The newest message between a person and a number: the newer of the last one in each direction, each found by an index. */
const newestMessage = sql<string | null>`(
  select uuid from (
    (select uuid from messages where messages.account_id = person.account_id and to_digits = person.digits
      and messages.chatapp_account = person.chatapp_account order by uuid desc limit 1)
    union all
    (select uuid from messages where messages.account_id = person.account_id and from_digits = person.digits
      and messages.chatapp_account = person.chatapp_account order by uuid desc limit 1)) as newest
  order by uuid desc limit 1)`;

/** The name that the person gave, or that of the contact with their number. */
const knownName = sql<string>`coalesce(nullif(person.name, ''), (
  select name from contacts where contacts.account_id = person.account_id and contacts.digits = person.digits), '')`;

const columns = {
  uuid: 'person.last_inbound',
  created: 'person.last_inbound_at',
  orderings: { last_message: sql<string>`person.last_message` },
  ids: ['last_message'],
};

/** Conversations, by when the person last wrote, or by the last message of either side. Cost: two looks into an index for each on the page, a third for the nameless. */
export async function listConversations(db: Db, accountId: string, filters: ConversationFilters) {
  const { chatapp_number, number, sought } = filters;
  const rows = db
    .selectFrom('chat_people as person')
    .innerJoin('chatapp_accounts as sender', (join) =>
      join.onRef('sender.account_id', '=', 'person.account_id').onRef('sender.uuid', '=', 'person.chatapp_account'),
    )
    .where('person.account_id', '=', accountId)
    .$if(chatapp_number !== undefined, (rows) => rows.where('sender.digits', '=', phoneDigits(chatapp_number!)))
    .$if(number !== undefined, (rows) => rows.where('person.digits', '=', phoneDigits(number!)))
    .$if(sought !== undefined, (rows) => rows.where(isSought(sought!, soughtIn)))
    .select([
      'person.last_inbound as uuid',
      'person.chatapp_account',
      'sender.chatapp_number',
      'sender.carrier',
      'person.number',
      knownName.as('name'),
      'person.last_inbound_at',
      'person.window_closed',
      newestMessage.as('newest'),
    ]);
  const page = await keysetPage(db, rows, filters, columns);
  const wanted = page.rows.flatMap(({ newest }) => (newest === null ? [] : [{ accountId, uuid: newest }]));
  const messages = new Map((await findMessagesAnyAccount(db, wanted)).map((row) => [row.uuid, row]));
  return {
    ...page,
    rows: page.rows.map(({ newest, ...row }): ConversationRow => ({ ...row, lastMessage: messages.get(newest ?? '') })),
  };
}

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
