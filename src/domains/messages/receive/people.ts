import { sql } from 'kysely';
import type { Person } from '../../../carriers/ports/inbox.ts';
import { type Db, prepared } from '../../../platform/db/connect/pool.ts';
import { isUserId, phoneDigits } from '../../../platform/phone.ts';

/** SQL of the people who write to senders: when they last did, and by what they are known. */

export const windowMs = 24 * 3_600_000;

/** The address of a person: their number, or the platform's id of one whose number is hidden. */
export const addressOf = ({ number, userId }: Person): string => number ?? userId!;

/** The numbers behind ids that came alone: a person who hid their number later is still the same person. */
export async function findNumbers(
  db: Db,
  accountId: string,
  people: { chatappAccount: string; userId: string }[],
): Promise<Map<string, string>> {
  if (people.length === 0) return new Map();
  const { rows } = await sql<{ chatapp_account: string; user_id: string; number: string }>`
    select chatapp_account, user_id, number
    from unnest(${people.map((one) => one.chatappAccount)}::uuid[], ${people.map((one) => one.userId)}::text[])
      as wanted (chatapp_account, user_id)
    join chat_people using (chatapp_account, user_id)
    where chat_people.account_id = ${accountId}`.execute(db);
  return new Map(rows.map((row) => [row.chatapp_account + row.user_id, row.number]));
}

export interface Writer {
  chatappAccount: string;
  number: string;
  userId: string | null;
  name: string;
  at: Date;
  /** What they wrote. */
  message: string;
  /** The last that either side said, if that is something else. */
  lastMessage?: string;
}

/** Notes that people wrote: their 24 hours begin anew. */
export async function noteWriters(db: Db, accountId: string, writers: Writer[]): Promise<void> {
  // One statement cannot meet the same row twice: the latest message of each counts.
  const latest = new Map<string, Writer>();
  for (const writer of writers.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    latest.set(`${writer.chatappAccount} ${phoneDigits(writer.number)}`, writer);
  }
  const people = [...latest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, writer]) => writer);
  await forgetUserIds(db, accountId, people);
  await sql`
    insert into chat_people as known (account_id, chatapp_account, digits, number, user_id, name, last_inbound_at, last_inbound, last_message)
    select ${accountId}, * from unnest(
      ${people.map((one) => one.chatappAccount)}::uuid[], ${people.map((one) => phoneDigits(one.number))}::text[],
      ${people.map((one) => one.number)}::text[], ${people.map((one) => one.userId)}::text[],
      ${people.map((one) => one.name)}::text[], ${people.map((one) => one.at.toISOString())}::timestamptz[],
      ${people.map((one) => one.message)}::uuid[], ${people.map((one) => one.lastMessage ?? one.message)}::uuid[])
    on conflict (account_id, chatapp_account, digits) do update set
      user_id = coalesce(excluded.user_id, known.user_id),
      name = case when excluded.name = '' then known.name else excluded.name end,
      last_inbound_at = greatest(known.last_inbound_at, excluded.last_inbound_at),
      last_inbound = greatest(known.last_inbound, excluded.last_inbound),
      last_message = greatest(known.last_message, excluded.last_message),
      window_closed = false`.execute(db);
}

/**
 * Parts of a statement about the messages of a sender ($1 its account, $2 its uuid). They make each message that leaves the last
 * one of its conversation. Locked rows are skipped: that person is writing or being written to at this moment, which moves the
 * conversation to the top as well.
 */
export const noteLeavingText = (leaving: string): string => `known as materialized (
    select digits from chat_people
    where account_id = $1 and chatapp_account = $2 and digits = any (array(select to_digits from ${leaving}))
    for no key update skip locked
  ), noted as (
    update chat_people as person set last_message = newest.uuid
    from (select distinct on (to_digits) to_digits, uuid from ${leaving} order by to_digits, uuid desc) as newest
    where person.account_id = $1 and person.chatapp_account = $2 and person.digits = newest.to_digits
      and person.digits = any (array(select digits from known)) and person.last_message < newest.uuid
  )`;

/** Removes the platform's ids of these people from whoever else has them: an id belongs to one person. */
async function forgetUserIds(db: Db, accountId: string, people: Writer[]): Promise<void> {
  const known = people.filter(({ userId }) => userId !== null);
  if (known.length === 0) return;
  await sql`
    update chat_people set user_id = null
    from unnest(${known.map((one) => one.chatappAccount)}::uuid[], ${known.map((one) => one.userId)}::text[],
      ${known.map((one) => phoneDigits(one.number))}::text[]) as known (chatapp_account, user_id, digits)
    where chat_people.account_id = ${accountId} and chat_people.chatapp_account = known.chatapp_account
      and chat_people.user_id = known.user_id and chat_people.digits <> known.digits`.execute(db);
}

/** A person goes by another number or id; their open window goes with them. */
export async function renamePerson(
  db: Db,
  accountId: string,
  chatappAccount: string,
  before: Person,
  after: Person,
): Promise<void> {
  const [known] = await db
    .deleteFrom('chat_people')
    .where('account_id', '=', accountId)
    .where('chatapp_account', '=', chatappAccount)
    .where((any) =>
      any.or([any('digits', '=', phoneDigits(addressOf(before))), any('user_id', '=', before.userId ?? '')]),
    )
    .returningAll()
    .execute();
  if (!known) return;
  const kept = isUserId(known.number) ? (after.userId ?? known.number) : known.number;
  const { chatapp_account, name, last_inbound_at, last_inbound, last_message: lastMessage } = known;
  const person = { number: after.number ?? kept, userId: after.userId ?? known.user_id, name };
  await noteWriters(db, accountId, [
    { ...person, chatappAccount: chatapp_account, at: new Date(last_inbound_at), message: last_inbound, lastMessage },
  ]);
}

const open = prepared<{ place: number }>(
  'messages.open-windows',
  `select wanted.place
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[]) with ordinality
    as wanted (account_id, chatapp_account, digits, since, place)
  join chat_people as person using (account_id, chatapp_account, digits)
  where person.last_inbound_at > wanted.since and not person.window_closed`,
);

/** Which of these people wrote within the last 24 hours, so that anything may be sent to them. */
export async function findOpenWindows<
  W extends { accountId: string; chatappAccount: string; digits: string; now: Date },
>(db: Db, wanted: W[]): Promise<Set<W>> {
  if (wanted.length === 0) return new Set();
  const rows = await open(db, [
    wanted.map((one) => one.accountId),
    wanted.map((one) => one.chatappAccount),
    wanted.map((one) => one.digits),
    wanted.map((one) => new Date(one.now.getTime() - windowMs).toISOString()),
  ]);
  return new Set(rows.map(({ place }) => wanted[place - 1]!));
}
