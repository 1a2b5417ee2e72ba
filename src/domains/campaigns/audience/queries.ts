import { sql } from 'kysely';
import { uuidArray } from '../../../platform/db/arrays.ts';
import { type Db, prepared } from '../../../platform/db/connect/pool.ts';
import { indexPart } from '../../../platform/db/index-part.ts';
import { keysetPage, type PageQuery } from '../../../platform/db/page.ts';
import type { Person } from '../feed/compose.ts';
import type { LogRef } from '../logs/queries.ts';

/** A contact, as a campaign needs it. */
export interface Contact extends Person {
  uuid: string;
  digits: string;
  time_zone: string;
}

const contactsOf = (db: Db, accountId: string) =>
  db
    .selectFrom('contacts')
    .select(['uuid', 'phone_number', 'digits', 'name', 'language_code', 'time_zone', 'attributes'])
    .where('account_id', '=', accountId)
    .$castTo<Contact>();

export const findContacts = (db: Db, accountId: string, uuids: string[]): Promise<Contact[]> =>
  contactsOf(db, accountId).where('uuid', '=', sql<string>`any (${uuids}::uuid[])`).execute();

export const findContactByDigits = (db: Db, accountId: string, digits: string): Promise<Contact | undefined> =>
  contactsOf(db, accountId).where('digits', '=', digits).executeTakeFirst();

/** What became of one person of the audience. */
export interface RecipientRow {
  /** The number; the contact's id where the number belongs to another row. */
  digits: string;
  contact: string;
  state: 'HELD' | 'QUEUED' | 'SKIPPED';
  reason: string;
  description: string;
  due_at: string | null;
  message: string | null;
}

const known = prepared<{ digits: string }>(
  'campaigns.known',
  // Looks up each by the key, whatever the planner thinks of a table that was empty a moment ago.
  `select wanted.digits from unnest($3::text[]) as wanted (digits) cross join lateral (
    select 1 from campaign_recipients as recipient
    where recipient.account_id = $1 and recipient.campaign_log = $2 and recipient.digits = wanted.digits limit 1) as known`,
);

/** Which of these numbers the launch has already reached. */
export const findKnown = async (db: Db, { account_id, uuid }: LogRef, digits: string[]): Promise<Set<string>> =>
  new Set((await known(db, [account_id, uuid, digits])).map((row) => row.digits));

const columns = (rows: RecipientRow[]): unknown[] => [
  rows.map(({ digits }) => digits),
  uuidArray(rows.map(({ contact }) => contact)),
  rows.map(({ state }) => state),
  rows.map(({ reason }) => reason),
  rows.map(({ description }) => description),
  rows.map(({ due_at }) => due_at),
  rows.map(({ message }) => message),
];
const unnested = `unnest($3::text[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::uuid[])`;

const insert = prepared<never>(
  'campaigns.insert-recipients',
  `insert into campaign_recipients (account_id, campaign_log, digits, contact, state, reason, description, due_at, message)
  select $1::uuid, $2::uuid, * from ${unnested}`,
);

/** A conflict must fail here: a number twice would be a person written to twice. */
export async function insertRecipients(db: Db, { account_id, uuid }: LogRef, rows: RecipientRow[]): Promise<void> {
  if (rows.length > 0) await insert(db, [account_id, uuid, ...columns(rows)]);
}

const update = prepared<never>(
  'campaigns.update-recipients',
  `update campaign_recipients as recipient
  set state = now.state, reason = now.reason, description = now.description, due_at = now.due_at, message = now.message
  from ${unnested} as now (digits, contact, state, reason, description, due_at, message)
  where recipient.account_id = $1 and recipient.campaign_log = $2 and recipient.digits = now.digits`,
);

export async function updateRecipients(db: Db, { account_id, uuid }: LogRef, rows: RecipientRow[]): Promise<void> {
  if (rows.length > 0) await update(db, [account_id, uuid, ...columns(rows)]);
}

const heldPart = indexPart({
  columns: ['account_id', 'campaign_log'],
  values: ['$1', '$2'],
  moment: 'due_at',
  until: ['<=', '$3'],
});
const heldText = (isDue: string): string => `
  select digits, contact from campaign_recipients where ${isDue} and state = 'HELD'
  order by ${heldPart.order} limit $4`;
const held = prepared<{ digits: string; contact: string }>(
  'campaigns.held-due',
  heldText(heldPart.bounds),
  heldText(heldPart.equations),
);

/** Those whose quiet hours are over. */
export const findHeldDue = (db: Db, { account_id, uuid }: LogRef, now: Date, most: number) =>
  held(db, [account_id, uuid, now.toISOString(), most]);

/** When the first and the last of those that are held may be written to. */
export async function findDue(db: Db, { account_id, uuid }: LogRef): Promise<{ first?: string; last?: string }> {
  const held = sql`from campaign_recipients
    where account_id = ${account_id} and campaign_log = ${uuid} and state = 'HELD'`;
  const { rows } = await sql<{ first: string | null; last: string | null }>`
    select (select due_at ${held} order by due_at limit 1) as first,
      (select due_at ${held} order by due_at desc limit 1) as last`.execute(db);
  const { first, last } = rows[0]!;
  return { ...(first && { first }), ...(last && { last }) };
}

/** Those who were left out because they had opted out. */
export const listOptedOut = (db: Db, { account_id, uuid }: LogRef, query: PageQuery) =>
  keysetPage(
    db,
    db
      .selectFrom('campaign_recipients as recipient')
      .leftJoin('contacts', (join) =>
        join.onRef('contacts.account_id', '=', 'recipient.account_id').onRef('contacts.uuid', '=', 'recipient.contact'),
      )
      .select(['recipient.contact as uuid', 'recipient.digits', 'recipient.created'])
      .select(['contacts.phone_number', 'contacts.name'])
      .where('recipient.account_id', '=', account_id)
      .where('recipient.campaign_log', '=', uuid)
      .where('recipient.state', '=', sql.lit('SKIPPED'))
      .where('recipient.reason', '=', 'opted_out'),
    query,
    { uuid: 'recipient.contact', created: 'recipient.created' },
  );

/** Notes when people answered for the first time; answers the launches for which that was new. */
export async function noteReplies(
  db: Db,
  replies: { accountId: string; campaignLog: string; digits: string }[],
): Promise<LogRef[]> {
  const { rows } = await sql<LogRef>`
    update campaign_recipients as recipient set replied_at = now()
    from (select distinct * from unnest(
      ${replies.map(({ accountId }) => accountId)}::uuid[], ${replies.map(({ campaignLog }) => campaignLog)}::uuid[],
      ${replies.map(({ digits }) => digits)}::text[]) order by 1, 2, 3) as reply (account_id, campaign_log, digits)
    where recipient.account_id = reply.account_id and recipient.campaign_log = reply.campaign_log
      and recipient.digits = reply.digits and recipient.replied_at is null
    returning recipient.account_id, recipient.campaign_log as uuid`.execute(db);
  return rows;
}
