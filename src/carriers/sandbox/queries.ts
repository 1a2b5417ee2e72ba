import { sql } from 'kysely';
import { jsonTextArray, uuidArray } from '../../platform/db/arrays.ts';
import { isDatabaseAway } from '../../platform/db/connect/failure.ts';
import { contentOf, type Db, prepared } from '../../platform/db/connect/pool.ts';
import { perAccount } from '../../platform/db/distribute/layout.ts';
import { keysetPage, type PageQuery } from '../../platform/db/page.ts';
import type { RetentionRule } from '../../platform/db/retention.ts';
import type { Log } from '../../platform/log.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { untilStored } from '../../platform/work/retry.ts';
import type { OutboundMessage } from '../ports/chat.ts';
import { realAtText, virtualAt } from './clock.ts';

/** Messages of the chat app by their types; SMS under a type of their own. */
export interface Taken {
  message: Pick<OutboundMessage, 'accountId' | 'uuid' | 'senderNumber' | 'toNumber' | 'type' | 'content' | 'quotes'>;
  id: string;
  dueAt: Date | null;
}

/** SQL text: when a moment comes in real time, joined with the `clock` of the account that moved its own. */
const reallyDueText = (moment: string): string =>
  `case when ${moment} is null then '-infinity' when clock.account_id is null then ${moment} else ${realAtText(moment)} end`;

const insertText = `
  with given as materialized (
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::json[],
      $9::timestamptz[], $10::uuid[])
      as given (account_id, message, id, chatapp_number, phone_number, phone_digits, type, content, due_at, quotes)
  ), clock as materialized (
    select * from sandbox_clocks where account_id = any ($1::uuid[])
  )
  insert into sandbox_messages (account_id, message, id, chatapp_number, phone_number, phone_digits, type, content, due_at,
    quotes, real_due_at)
  select given.*, ${reallyDueText('given.due_at')} from given left join clock on clock.account_id = given.account_id`;
const insert = prepared('sandbox.take', insertText);
const insertAgain = prepared('sandbox.take-again', `${insertText} on conflict (account_id, message, id) do nothing`);

/** What stays readable of content that is encrypted: statements ask for it. */
export const shownInSandbox: ReadonlySet<string> = new Set(['template_name', 'language_code', 'reaction']);

const storedOf = (db: Db, accountId: string, content: unknown): string =>
  contentOf(db).fieldsBut(accountId, content as Record<string, unknown>, shownInSandbox);

/** Keeps what was taken. `isAgain`: it may be kept already, since the answer to that was lost; ids tell. */
async function insertTaken(db: Db, taken: Taken[], isAgain = false): Promise<void> {
  await (isAgain ? insertAgain : insert)(db, [
    uuidArray(taken.map(({ message }) => message.accountId)),
    uuidArray(taken.map(({ message }) => message.uuid)),
    uuidArray(taken.map(({ id }) => id)),
    taken.map(({ message }) => message.senderNumber),
    taken.map(({ message }) => message.toNumber),
    taken.map(({ message }) => phoneDigits(message.toNumber)),
    taken.map(({ message }) => message.type),
    jsonTextArray(taken.map(({ message }) => storedOf(db, message.accountId, message.content))),
    taken.map(({ dueAt }) => dueAt?.toISOString() ?? null),
    quotedArray(taken.map(({ message }) => message.quotes ?? reactedTo(message.content))),
  ]);
}

/** In an array's text form, a null that is not quoted is one. */
const quotedArray = (uuids: (string | undefined)[]): string => uuidArray(uuids.map((uuid) => uuid ?? 'null'));

const reactedTo = (content: unknown): string | undefined =>
  (content as { reaction?: { message_uuid: string } }).reaction?.message_uuid;

/** How long a phone network of our own keeps somebody waiting because its database is away. */
const patienceMs = 30_000;

/**
 * Keeps what the sandbox takes. Its memory is in our own database: while that is away the sandbox is slow, and what it has taken
 * has its ids before, so that it takes nothing twice when an answer of the database is lost. False: the database refused, and
 * nothing was taken.
 */
export async function keepTaken(db: Db, log: Log, taken: Taken[]): Promise<boolean> {
  if (taken.length === 0) return true;
  let isAgain = false;
  let refusal: unknown;
  await untilStored(log, AbortSignal.timeout(patienceMs), async () => {
    const inserting = insertTaken(db, taken, isAgain);
    isAgain = true;
    await inserting.catch((error: unknown) => {
      if (isDatabaseAway(error)) throw error;
      refusal = error;
    });
  });
  if (refusal) log.error({ err: refusal }, 'The sandbox could not keep what it was given');
  return refusal === undefined;
}

/** What somebody wrote, as the API shows it. */
export interface WrittenMessage {
  uuid: string;
  type: string;
  chatapp_number: string;
  from_chatapp_number: string;
  message_data: unknown;
  context_data?: { message_uuid?: string };
}

/** Keeps what was written on phones of an account; what is there already stays as it is. */
export async function insertWritten(db: Db, accountId: string, messages: WrittenMessage[]): Promise<void> {
  const people = messages.map((message) => message.from_chatapp_number);
  await sql`
    insert into sandbox_messages
      (account_id, message, id, direction, chatapp_number, phone_number, phone_digits, type, content, quotes)
    select ${accountId}, uuid, uuid, 'INBOUND', chatapp_number, person, digits, type, content, quotes
    from unnest(
      ${uuidArray(messages.map(({ uuid }) => uuid))}::uuid[], ${messages.map((message) => message.chatapp_number)}::text[],
      ${people}::text[], ${people.map(phoneDigits)}::text[], ${messages.map(({ type }) => type)}::text[],
      ${jsonTextArray(messages.map((message) => storedOf(db, accountId, message.message_data)))}::json[],
      ${quotedArray(messages.map(({ context_data, message_data }) => context_data?.message_uuid ?? reactedTo(message_data)))}::uuid[]
    ) as written (uuid, chatapp_number, person, digits, type, content, quotes)
    on conflict do nothing`.execute(db);
}

export const findTaken = (db: Db, accountId: string, uuids: string[]) =>
  db
    .selectFrom('sandbox_messages')
    .select(['message', 'id', 'content'])
    .where('account_id', '=', accountId)
    .where('message', 'in', uuids)
    .execute();

export const smsType = 'SMS';

export interface DueRow {
  account_id: string;
  message: string;
  id: string;
  phone_digits: string;
  type: string;
  step: number;
  due_at: string;
}

/** A message that goes on from a step at a moment; at none, it has come to its end. */
export interface NextStep {
  account_id: string;
  message: string;
  id: string;
  step: number;
  dueAt: Date | null;
}

/**
 * What is due by each account's own time, locked; other processes take other rows. No account's time is further ahead. What is not due in
 * real time is not looked at, whatever the clocks of others say.
 */
export async function lockDueAnyAccount(db: Db, realNow: Date, aheadMs: number, most: number): Promise<DueRow[]> {
  const now = sql`${realNow.toISOString()}::timestamptz`;
  const latest = new Date(realNow.getTime() + aheadMs).toISOString();
  const mayBeDue = sql`message.real_due_at <= ${now} and message.due_at <= ${latest}`;
  return perAccount(
    db,
    sql`select account_id from sandbox_messages as message where ${mayBeDue}`,
    async (ofAccount) => {
      const { rows } = await sql<DueRow>`
      select message.account_id, message.message, message.id, message.phone_digits, message.type, message.step,
        message.due_at
      from sandbox_messages as message
      where ${mayBeDue} and ${ofAccount('message.account_id')} and message.due_at <= coalesce(
        (select ${virtualAt(now)} from sandbox_clocks as clock
          where clock.account_id = message.account_id and ${ofAccount('clock.account_id')}), ${now})
      order by message.real_due_at, message.due_at limit ${most}
      for update of message skip locked`.execute(db);
      return rows;
    },
  );
}

export async function moveSteps(db: Db, rows: NextStep[]): Promise<void> {
  const accounts = uuidArray([...new Set(rows.map((row) => row.account_id))]);
  await sql`
    with clock as materialized (
      select * from sandbox_clocks where account_id = any (${accounts}::uuid[])
    ), next as materialized (
      select given.*, ${sql.raw(reallyDueText('given.due_at'))} as real_due_at
      from unnest(
        ${rows.map((row) => row.account_id)}::uuid[], ${rows.map((row) => row.message)}::uuid[],
        ${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.step)}::smallint[],
        ${rows.map((row) => row.dueAt?.toISOString() ?? null)}::timestamptz[]
      ) as given (account_id, message, id, step, due_at) left join clock on clock.account_id = given.account_id
    )
    update sandbox_messages as message set step = next.step, due_at = next.due_at, real_due_at = next.real_due_at from next
    where message.account_id = next.account_id and message.message = next.message and message.id = next.id`.execute(db);
}

/** Sooner than this it is waited for. More than between two questions of the poll. */
const soonSeconds = 2;

/** SQL text: whether a phone or its person has something to do soon. */
export const isPendingText = `exists (
    select 1 from sandbox_messages where due_at is not null and real_due_at <= now() + interval '${soonSeconds} seconds')`;

export async function hasPendingAnyAccount(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_pending: boolean }>`select ${sql.raw(isPendingText)} as is_pending`.execute(db);
  return rows[0]!.is_pending;
}

const onPhones = (db: Db, accountId: string) =>
  db
    .selectFrom('sandbox_messages')
    .select(['message as uuid', 'direction', 'chatapp_number', 'phone_number', 'phone_digits', 'type', 'content'])
    .select(['quotes', 'step', 'created', definition.as('template')])
    .where('account_id', '=', accountId);

/** What a template says, where the sandbox was given it. */
const definition = sql<object[] | null>`
  case when type = 'TEMPLATE' then (
    select template.components from sandbox_templates as template
    where template.account_id = sandbox_messages.account_id
      and template.number_digits = regexp_replace(sandbox_messages.chatapp_number, '\\D', '', 'g')
      and template.name = sandbox_messages.content ->> 'template_name'
      and template.language_code = sandbox_messages.content ->> 'language_code'
  ) end`;

const onPhone = (db: Db, accountId: string, number: string) =>
  onPhones(db, accountId).where('phone_digits', '=', phoneDigits(number));

export const listPhone = (db: Db, accountId: string, number: string, query: PageQuery) =>
  keysetPage(db, onPhone(db, accountId, number), query, { uuid: 'message', created: 'created' });

/** A message of the chat app: an SMS cannot be quoted. */
export const findOnPhone = (db: Db, accountId: string, number: string, uuid: string) =>
  onPhone(db, accountId, number).where('message', '=', uuid).where('type', '<>', smsType).limit(1).executeTakeFirst();

/** The latest messages on a phone, the last one first. */
export const readLatest = (db: Db, accountId: string, number: string, most: number) =>
  onPhone(db, accountId, number).orderBy('message', 'desc').limit(most).execute();

/** These messages, as their phones have them. */
export const readOnPhones = (db: Db, accountId: string, uuids: string[]) =>
  onPhones(db, accountId).where('message', 'in', uuids).execute();

export interface ReactionRow {
  quotes: string;
  direction: string;
  emoji: string;
}

/** The reactions to these messages, the oldest first. */
export async function readReactions(db: Db, accountId: string, uuids: string[]): Promise<ReactionRow[]> {
  const { rows } = await sql<ReactionRow>`
    select quotes, direction, content -> 'reaction' ->> 'emoji' as emoji from sandbox_messages
    where account_id = ${accountId} and quotes = any (${uuidArray(uuids)}::uuid[]) and type = 'REACTION'
    order by message`.execute(db);
  return rows;
}

/** What phones got and wrote; what still has to report something stays. */
export const sandboxRetention: RetentionRule = {
  tables: [{ name: 'sandbox_messages', key: 'message' }],
  second: 'id',
  waiting: { when: () => sql`due_at is not null` },
  isWhole: true,
};
