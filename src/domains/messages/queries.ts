import { type Selectable, sql } from 'kysely';
import { jsonTextArray, uuidArray } from '../../platform/db/arrays.ts';
import { contentOf, type Db, prepared, runPrepared } from '../../platform/db/connect/pool.ts';
import { keysetChunks, keysetPage, type PageQuery } from '../../platform/db/page.ts';
import type { MessageStates, Messages } from '../../platform/db/types.ts';
import { phoneDigits, searchDigits } from '../../platform/phone.ts';
import { isSought, type Sought, type SoughtIn } from '../directory/index.ts';
import { isReadyText, priorities, type StatusChange } from '../outbox/index.ts';
import { eventsOf } from '../timeline/index.ts';

/** A message as the API shows it: what was said, and where it stands. */
export type MessageRow = Pick<Selectable<Messages>, (typeof messageColumns)[number]> &
  Pick<Selectable<MessageStates>, (typeof stateColumns)[number]> & {
    /** 0, or left out: not so. 1: to be masked. 2: masked. */
    sensitive?: number;
    /** The message that was sent in its place. */
    resent_as?: string | null;
  };

const messageColumns = [
  'uuid',
  'type',
  'chatapp_number',
  'direction',
  'from_chatapp_number',
  'to_chatapp_number',
  'message_data',
  'meta_data',
  'context_data',
  'created',
] as const;
const stateColumns = ['status', 'status_description', 'modified'] as const;

/** Every message has a state, so an inner join would do; PostgreSQL leaves a left join out where only messages are counted. */
const messagesAnyAccount = (db: Db) =>
  db
    .selectFrom('messages')
    .leftJoin('message_states as state', (join) =>
      join.onRef('state.account_id', '=', 'messages.account_id').onRef('state.uuid', '=', 'messages.uuid'),
    )
    .select(messageColumns.map((column) => `messages.${column}` as const))
    .select(['messages.sensitive', 'state.resent_as'])
    .select(stateColumns.map((column) => `state.${column}` as const))
    .$castTo<MessageRow>();

const messagesOf = (db: Db, accountId: string) => messagesAnyAccount(db).where('messages.account_id', '=', accountId);

/** Messages of several accounts, for those who have each one's account and id. */
export const findMessagesAnyAccount = (db: Db, wanted: { accountId: string; uuid: string }[]) =>
  runPrepared(
    db,
    'messages.find-any-account',
    messagesAnyAccount(db)
      .select('messages.account_id')
      .where(
        sql<boolean>`(messages.account_id, messages.uuid) in (select * from unnest(
        ${uuidArray(wanted.map(({ accountId }) => accountId))}::uuid[], ${uuidArray(wanted.map(({ uuid }) => uuid))}::uuid[]))`,
      )
      .orderBy('messages.uuid'),
  );

/** A message with all that its request had. */
export interface MessageToResend extends MessageRow {
  account_id: string;
  chat_intro: string | null;
  callback_url: string | null;
}

export const findToResend = (db: Db, accountId: string, uuids: string[]): Promise<MessageToResend[]> =>
  messagesOf(db, accountId)
    .select(['messages.account_id', 'messages.chat_intro', 'state.callback_url'])
    .where('messages.uuid', 'in', uuids)
    .execute();

/** A message about to be accepted. */
export interface QueuedMessage {
  account_id: string;
  uuid: string;
  chatapp_account: string;
  type: string;
  chatapp_number: string;
  to_chatapp_number: string;
  from_digits: string;
  to_digits: string;
  /** JSON text, as the other two are: it is made once, stored as it is and answered as it is. */
  message_data: string;
  meta_data: string;
  context_data: string;
  /** When it may leave: a moment, or -infinity for at once. */
  due_at: string;
  callback_url: string | null;
  chat_intro: string | null;
  /** The launch it belongs to; messages of launches leave after those that are sent by themselves. */
  campaign_log: string | null;
  sensitive: 0 | 1;
}

const acceptText = (ready: string): string => `
  with accepted as materialized (
    -- A column in which nothing differs from what is usual is null as a whole.
    select account_id, uuid, chatapp_account, type, chatapp_number, to_number, from_digits, to_digits, message_data,
      coalesce(meta_data, '{}') as meta_data, coalesce(context_data, '{}') as context_data,
      coalesce(due_at, '-infinity') as due_at, callback_url, chat_intro, campaign_log, coalesce(sensitive, 0) as sensitive
    from unnest(
      $1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::json[], $10::json[],
      $11::json[], $12::timestamptz[], $13::text[], $14::uuid[], $15::uuid[], $16::smallint[]
    ) as a (account_id, uuid, chatapp_account, type, chatapp_number, to_number, from_digits, to_digits, message_data, meta_data,
      context_data, due_at, callback_url, chat_intro, campaign_log, sensitive)
  ), stored as (
    insert into messages (account_id, uuid, chatapp_account, direction, type, chatapp_number, from_chatapp_number,
      to_chatapp_number, from_digits, to_digits, message_data, meta_data, context_data, chat_intro,
      campaign_log, sensitive)
    select account_id, uuid, chatapp_account, 'OUTBOUND', type, chatapp_number, chatapp_number,
      to_number, from_digits, to_digits, message_data, meta_data, context_data, chat_intro, campaign_log, sensitive
    from accepted
  ), queued as (
    insert into message_states (account_id, uuid, chatapp_account, status, due_at, ready, callback_url, campaign_log, priority)
    select account_id, uuid, chatapp_account, 'QUEUED', due_at, ${ready}, callback_url, campaign_log,
      case when campaign_log is null then ${priorities.own} else ${priorities.campaign} end
    from accepted
  )
  select now() as moment`;
const accept = prepared<{ moment: string }>('messages.accept', acceptText('true'));
const acceptScheduled = prepared<{ moment: string }>('messages.accept-scheduled', acceptText(isReadyText('$1')));

/**
 * Accepts a batch: messages and their states by one statement, which is one transaction and one
 * round trip. Returns the moment of acceptance, which all of them share.
 */
export async function insertQueued(db: Db, messages: QueuedMessage[]): Promise<string> {
  const column = <K extends keyof QueuedMessage>(name: K) => messages.map((message) => message[name]);
  /** undefined: all are as usual. */
  const unusual = <K extends keyof QueuedMessage>(name: K, usual: QueuedMessage[K]) =>
    messages.some((message) => message[name] !== usual) ? column(name) : undefined;
  const content = contentOf(db);
  const [metaData, contextData] = [unusual('meta_data', '{}'), unusual('context_data', '{}')];
  const dueAt = unusual('due_at', '-infinity');
  const [row] = await (dueAt ? acceptScheduled : accept)(db, [
    uuidArray(column('account_id')),
    uuidArray(column('uuid')),
    uuidArray(column('chatapp_account')),
    column('type'),
    column('chatapp_number'),
    column('to_chatapp_number'),
    column('from_digits'),
    column('to_digits'),
    jsonTextArray(messages.map((message) => content.json(message.account_id, message.message_data))),
    metaData && jsonTextArray(metaData),
    contextData && jsonTextArray(contextData),
    dueAt,
    unusual('callback_url', null),
    unusual('chat_intro', null),
    unusual('campaign_log', null),
    unusual('sensitive', 0),
  ]);
  return row!.moment;
}

export interface MessageFilters extends PageQuery {
  chatapp_number?: string;
  to?: string;
  from?: string;
  direction?: string;
  type?: string;
  status?: string;
  campaign_log?: string;
  chat_intro?: string;
  with?: string;
  q?: string;
  sought?: Sought | undefined;
}

const soughtIn: SoughtIn = { ids: ['messages.uuid'], numbers: ['from_digits', 'to_digits'] };

function filtered(db: Db, accountId: string, filters: MessageFilters, country: string) {
  const {
    chatapp_number,
    to,
    from,
    direction,
    type,
    status,
    campaign_log,
    chat_intro,
    with: person,
    q,
    sought,
  } = filters;
  return messagesOf(db, accountId)
    .$if(sought !== undefined, (rows) => rows.where(isSought(sought!, soughtIn)))
    .$if(to !== undefined, (rows) => rows.where('to_digits', '=', phoneDigits(to!)))
    .$if(from !== undefined, (rows) => rows.where('from_digits', '=', phoneDigits(from!)))
    .$if(direction !== undefined, (rows) => rows.where('direction', '=', direction!))
    .$if(type !== undefined, (rows) => rows.where('type', '=', type!))
    .$if(status !== undefined, (rows) => rows.where('state.status', '=', status!))
    .$if(campaign_log !== undefined, (rows) => rows.where('messages.campaign_log', '=', campaign_log!))
    .$if(chat_intro !== undefined, (rows) => rows.where('chat_intro', '=', chat_intro!))
    .$if(chatapp_number !== undefined, (rows) =>
      rows.where('messages.chatapp_account', '=', (sender) =>
        sender
          .selectFrom('chatapp_accounts')
          .select('uuid')
          .where('account_id', '=', accountId)
          .where('digits', '=', phoneDigits(chatapp_number!)),
      ),
    )
    .$if(person !== undefined, (rows) => {
      const digits = phoneDigits(person!);
      return rows.where((any) => any.or([any('to_digits', '=', digits), any('from_digits', '=', digits)]));
    })
    .$if(q !== undefined, (rows) => {
      const prefixes = searchDigits(q!, country).map((digits) => `${digits}%`);
      return rows.where((any) =>
        any.or(prefixes.flatMap((prefix) => [any('to_digits', 'like', prefix), any('from_digits', 'like', prefix)])),
      );
    });
}

const ofMessages = { uuid: 'messages.uuid', created: 'messages.created' };

export const listMessages = (db: Db, accountId: string, filters: MessageFilters, country: string) =>
  keysetPage(db, filtered(db, accountId, filters, country), filters, ofMessages);

/** All of them, a chunk at a time. */
export const readMessages = (db: Db, accountId: string, filters: MessageFilters, country: string) =>
  keysetChunks(filtered(db, accountId, filters, country), filters, ofMessages);

export const findMessage = (db: Db, accountId: string, uuid: string): Promise<MessageRow | undefined> =>
  messagesOf(db, accountId).where('messages.uuid', '=', uuid).executeTakeFirst();

/** To whom one was sent, and when. */
export const findAddressed = (db: Db, accountId: string, uuid: string) =>
  db
    .selectFrom('messages')
    .select(['direction', 'to_digits', 'created'])
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();

/** Locks messages in their queue until the transaction ends, and says where they stand. */
export const lockQueued = (db: Db, accountId: string, uuids: string[]) =>
  db
    .selectFrom('message_states')
    .select(['uuid', 'status', 'claimed_by', 'due_at'])
    .where('account_id', '=', accountId)
    .where('uuid', 'in', uuids)
    .orderBy('uuid')
    .forUpdate()
    .execute();

export interface StatusEvent {
  uuid: string;
  at: string;
  data: { status: string; status_description?: string; applied?: boolean };
}

/** The steps of one message that named a status, from the timeline. */
export async function listStatusEvents(db: Db, accountId: string, uuid: string, query: PageQuery) {
  const steps = eventsOf(db, accountId, uuid).where(sql`data ->> 'status'`, 'is not', null);
  const page = await keysetPage(db, steps, query, { uuid: 'uuid', created: 'at' });
  return { ...page, rows: page.rows as unknown as StatusEvent[] };
}

/** Stores the carrier's ids of messages whose state does not change. */
export async function addCarrierIds(db: Db, changes: StatusChange[]): Promise<void> {
  await sql`
    update message_states as state set carrier_message_id = change.id
    from unnest(${changes.map(({ accountId }) => accountId)}::uuid[], ${changes.map(({ uuid }) => uuid)}::uuid[],
      ${changes.map(({ carrierMessageId }) => carrierMessageId)}::text[]) as change (account_id, uuid, id)
    where state.account_id = change.account_id and state.uuid = change.uuid and state.carrier_message_id is null`.execute(
    db,
  );
}

/** Whether anything was sent from or to a chat-app account. */
export async function hasMessages(db: Db, accountId: string, chatappAccount: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from messages where account_id = ${accountId} and chatapp_account = ${chatappAccount} limit 1`.execute(db);
  return rows.length > 0;
}
