import { type Selectable, sql } from 'kysely';
import { uuidArray } from '../../platform/db/arrays.ts';
import { keysetPage, type PageQuery } from '../../platform/db/page.ts';
import { type Db, prepared } from '../../platform/db/pool.ts';
import type { OptOuts } from '../../platform/db/types.ts';
import { newId } from '../../platform/ids.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { eventsOfType } from '../timeline/index.ts';

export type OptOutRow = Selectable<OptOuts>;

export interface NewOptOut {
  phone_number: string;
  channel: string;
  source: string;
  text: string;
}

/** Opts people out. Those who are out already stay as they are, but for the leave to answer them. All are returned. */
export async function insertOptOuts(
  db: Db,
  accountId: string,
  people: NewOptOut[],
): Promise<(OptOutRow & { is_new: boolean })[]> {
  const { rows } = await sql<OptOutRow & { is_new: boolean }>`
    insert into opt_outs as known (account_id, uuid, phone_number, digits, channel, source, text)
    select ${accountId}, * from unnest(${people.map(() => newId())}::uuid[], ${people.map((one) => one.phone_number)}::text[],
      ${people.map((one) => phoneDigits(one.phone_number))}::text[], ${people.map((one) => one.channel)}::text[],
      ${people.map((one) => one.source)}::text[], ${people.map((one) => one.text)}::text[])
    on conflict (account_id, digits, channel) do update set answer_until = null
    returning *, xmax = 0 as is_new`.execute(db);
  return rows;
}

/** Lets people of a channel through again; answers those who were out. */
export async function deleteOptOuts(db: Db, accountId: string, digits: string[], channels: string[]) {
  return db
    .deleteFrom('opt_outs')
    .where('account_id', '=', accountId)
    .where('digits', '=', sql<string>`any (${digits}::text[])`)
    .where('channel', 'in', channels)
    .returningAll()
    .execute();
}

/** People who opted out and wrote all the same: until when they may be answered. */
export async function allowAnswers(db: Db, accountId: string, writers: { digits: string; until: Date }[]) {
  if (writers.length === 0) return;
  await sql`
    update opt_outs set answer_until = writer.until
    from unnest(${writers.map(({ digits }) => digits)}::text[], ${writers.map(({ until }) => until.toISOString())}::timestamptz[])
      as writer (digits, until)
    where opt_outs.account_id = ${accountId} and opt_outs.digits = writer.digits`.execute(db);
}

export const findOptOut = (db: Db, accountId: string, uuid: string): Promise<OptOutRow | undefined> =>
  db.selectFrom('opt_outs').selectAll().where('account_id', '=', accountId).where('uuid', '=', uuid).executeTakeFirst();

export const deleteOptOut = (db: Db, accountId: string, uuid: string): Promise<OptOutRow | undefined> =>
  db
    .deleteFrom('opt_outs')
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirst();

export function listOptOuts(db: Db, accountId: string, query: PageQuery & { number?: string; channel?: string }) {
  let rows = db.selectFrom('opt_outs').selectAll().where('account_id', '=', accountId);
  if (query.number) rows = rows.where('digits', '=', phoneDigits(query.number));
  if (query.channel) rows = rows.where('channel', '=', query.channel);
  return keysetPage(db, rows, query);
}

export interface OptOutEventRow {
  uuid: string;
  at: string;
  data: NewOptOut & { action: string };
}

export async function listOptOutEvents(db: Db, accountId: string, query: PageQuery & { number?: string }) {
  let rows = eventsOfType(db, accountId, 'opt_out');
  if (query.number) rows = rows.where(sql`data ->> 'digits'`, '=', phoneDigits(query.number));
  const page = await keysetPage(db, rows, query, { uuid: 'uuid', created: 'at' });
  return { ...page, rows: page.rows as unknown as OptOutEventRow[] };
}

/** Those of these accounts that have any opt-outs: one look into the index for each. */
export async function findAccountsWithOptOuts(db: Db, accountIds: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ account_id: string }>`
    select account_id from unnest(${accountIds}::uuid[]) as account (account_id)
    where exists (select from opt_outs where opt_outs.account_id = account.account_id)`.execute(db);
  return new Set(rows.map((row) => row.account_id));
}

const find = prepared<{ place: number }>(
  'optouts.find',
  `select distinct wanted.place
  from unnest($1::uuid[], $2::text[], $3::timestamptz[]) with ordinality as wanted (account_id, digits, answered_at, place)
  join opt_outs as optout using (account_id, digits)
  where optout.channel in ('ALL', $4) and not coalesce(wanted.answered_at < optout.answer_until, false)`,
);

/** Who of these does not want to hear from the account on a channel. */
export async function findAmong<R extends { accountId: string; digits: string; answeredAt?: Date | undefined }>(
  db: Db,
  recipients: R[],
  channel: string,
): Promise<R[]> {
  const rows = await find(db, [
    uuidArray(recipients.map(({ accountId }) => accountId)),
    recipients.map(({ digits }) => digits),
    recipients.map(({ answeredAt }) => answeredAt?.toISOString() ?? null),
    channel,
  ]);
  return rows.map(({ place }) => recipients[place - 1]!);
}
