import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../../platform/db/page.ts';
import { phoneDigits } from '../../../platform/phone.ts';
import { isSought, type Sought, type SoughtIn } from '../../directory/index.ts';
import { findMessagesAnyAccount, type MessageRow } from '../queries.ts';

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
  /** undefined: it was long ago, and is gone. */
  lastMessage: MessageRow | undefined;
}

export interface ConversationFilters extends Omit<PageQuery, 'ordering'> {
  ordering: string;
  chatapp_number?: string;
  number?: string;
  sought?: Sought | undefined;
}

const soughtIn: SoughtIn = { ids: ['person.last_inbound'], numbers: ['person.digits'] };

/** The newest message between a person and a number: the last one in each direction, by the indexes of both. */
const newestMessage = sql<string | null>`(
  select uuid from (
    (select uuid from messages where messages.account_id = person.account_id and to_digits = person.digits
      and messages.chatapp_account = person.chatapp_account order by uuid desc limit 1)
    union all
    (select uuid from messages where messages.account_id = person.account_id and from_digits = person.digits
      and messages.chatapp_account = person.chatapp_account order by uuid desc limit 1)) as newest
  order by uuid desc limit 1)`;

/** As the person calls themselves, or as the contact with their number is called. */
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
