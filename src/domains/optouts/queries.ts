import { type Selectable, sql } from 'kysely';
import { uuidArray } from '../../platform/db/arrays.ts';
import { type Db, isDistributed, prepared, runPrepared } from '../../platform/db/connect/pool.ts';
import { keysetChunks, keysetPage, type PageQuery } from '../../platform/db/page.ts';
import type { OptOuts } from '../../platform/db/types.ts';
import { newId } from '../../platform/ids.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { isSought, type Sought, type SoughtIn } from '../directory/index.ts';
import { eventsOfType } from '../timeline/index.ts';

export type OptOutRow = Selectable<OptOuts>;

export interface NewOptOut {
  phone_number: string;
  /** What the number is compared by. */
  digits: string;
  channel: string;
  source: string;
  text: string;
  /** Said on a carrier for trying things out. */
  trial?: boolean;
}

/**
 * Opts people out. Those who are out already stay as they are, but for the leave to answer them and the note that they said so
 * again; what was said in a trial changes nothing of what was said in earnest, and becomes earnest when it is said so. All are
 * returned.
 */
export async function insertOptOuts(
  db: Db,
  accountId: string,
  people: NewOptOut[],
): Promise<(OptOutRow & { is_new: boolean })[]> {
  const { rows } = await sql<OptOutRow & { is_new: boolean }>`
    insert into opt_outs as known (account_id, uuid, phone_number, digits, channel, source, text, trial)
    select ${accountId}, * from unnest(${people.map(() => newId())}::uuid[], ${people.map((one) => one.phone_number)}::text[],
      ${people.map((one) => one.digits)}::text[], ${people.map((one) => one.channel)}::text[],
      ${people.map((one) => one.source)}::text[], ${people.map((one) => one.text)}::text[],
      ${people.map((one) => one.trial ?? false)}::boolean[])
    on conflict (account_id, digits, channel) do update set
      answer_until = case when excluded.trial and not known.trial then known.answer_until end,
      said_again = case when excluded.trial and not known.trial then known.said_again else excluded.created end,
      trial = known.trial and excluded.trial
    returning *, xmax = 0 as is_new`.execute(db);
  return rows;
}

/** The carriers for trying things out, and whether every account of this server can reach real people anyway. */
export interface Trial {
  carriers: string[];
  reachesAll: boolean;
}

/**
 * Which opt-outs a person's word concerns. Said in earnest: all. Said in a trial: in an account that can reach nobody else, all
 * as well; in one that also has a real sender, link or trunk, those of trials only.
 */
const concerned = (accountId: string, trial: Trial | null) =>
  trial === null
    ? sql<boolean>`true`
    : sql<boolean>`(opt_outs.trial or not (${trial.reachesAll}
      or exists (select 1 from chatapp_accounts where account_id = ${accountId} and carrier <> all (${trial.carriers}::text[]))
      or exists (select 1 from sms_links where account_id = ${accountId} and carrier <> all (${trial.carriers}::text[]))
      or exists (select 1 from sip_trunks where account_id = ${accountId})))`;

/** Which opt-outs were last said at a moment or before it; without a moment, all. */
const saidBefore = (moment: Date | undefined) =>
  moment === undefined
    ? sql<boolean>`true`
    : sql<boolean>`coalesce(opt_outs.said_again, opt_outs.created) <= ${moment.toISOString()}`;

/** Whose word it is that changes opt-outs: in a trial or not, and how late. */
export interface Concern {
  trial: Trial | null;
  before?: Date | undefined;
}

/** Lets people of a channel through again; answers those who were out. */
export async function deleteOptOuts(
  db: Db,
  accountId: string,
  digits: string[],
  channels: string[],
  { trial, before }: Concern,
) {
  return db
    .deleteFrom('opt_outs')
    .where('account_id', '=', accountId)
    .where('digits', '=', sql<string>`any (${digits}::text[])`)
    .where('channel', 'in', channels)
    .where(concerned(accountId, trial))
    .where(saidBefore(before))
    .returningAll()
    .execute();
}

/** People who opted out and wrote all the same: until when they may be answered. */
export async function updateAnswerUntil(
  db: Db,
  accountId: string,
  writers: { digits: string; until: Date }[],
  { trial, before }: Concern,
): Promise<void> {
  await sql`
    update opt_outs set answer_until = writer.until
    from unnest(${writers.map(({ digits }) => digits)}::text[], ${writers.map(({ until }) => until.toISOString())}::timestamptz[])
      as writer (digits, until)
    where opt_outs.account_id = ${accountId} and opt_outs.digits = writer.digits
      and ${concerned(accountId, trial)} and ${saidBefore(before)}`.execute(db);
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

interface OptOutFilters extends PageQuery {
  number?: string;
  /** What stands for the number of somebody who was erased. */
  hash?: string;
  channel?: string;
  sought?: Sought | undefined;
}

const soughtIn: SoughtIn = { ids: ['uuid'], numbers: ['digits'] };

function filtered(db: Db, accountId: string, query: OptOutFilters) {
  let rows = db.selectFrom('opt_outs').selectAll().where('account_id', '=', accountId);
  if (query.number) rows = rows.where('digits', 'in', [phoneDigits(query.number), query.hash ?? '']);
  if (query.sought) rows = rows.where(isSought(query.sought, soughtIn));
  if (query.channel) rows = rows.where('channel', '=', query.channel);
  return rows;
}

export const listOptOuts = (db: Db, accountId: string, query: OptOutFilters) =>
  keysetPage(db, filtered(db, accountId, query), query);

/** All of them, a chunk at a time. */
export const readOptOuts = (db: Db, accountId: string, query: OptOutFilters) =>
  keysetChunks(filtered(db, accountId, query), query);

export interface OptOutEventRow {
  uuid: string;
  at: string;
  data: Omit<NewOptOut, 'digits'> & { action: string };
}

export async function listOptOutEvents(db: Db, accountId: string, query: PageQuery & { number?: string }) {
  let rows = eventsOfType(db, accountId, 'opt_out');
  if (query.number) rows = rows.where(sql`data ->> 'digits'`, '=', phoneDigits(query.number));
  const page = await keysetPage(db, rows, query, { uuid: 'uuid', created: 'at' });
  return { ...page, rows: page.rows as unknown as OptOutEventRow[] };
}

/** The event that was written for a consent. */
export async function findOptOutEvent(db: Db, accountId: string, subject: string): Promise<OptOutEventRow> {
  const row = await eventsOfType(db, accountId, 'opt_out').where('subject', '=', subject).executeTakeFirstOrThrow();
  return row as unknown as OptOutEventRow;
}

/** What these people are opted out of, of these channels. */
export const listChannelsOut = (db: Db, accountId: string, digits: string[], channels: string[]) =>
  db
    .selectFrom('opt_outs')
    .select(['digits', 'channel'])
    .where('account_id', '=', accountId)
    .where('digits', '=', sql<string>`any (${digits}::text[])`)
    .where('channel', 'in', channels)
    .execute();

/** Those of these accounts that have any opt-outs: one look into the index for each. */
export async function findAccountsWithOptOuts(db: Db, accountIds: string[]): Promise<Set<string>> {
  if (isDistributed(db)) {
    const found = accountIds.map((accountId) =>
      db.selectFrom('opt_outs').select('account_id').where('account_id', '=', accountId).limit(1).executeTakeFirst(),
    );
    return new Set((await Promise.all(found)).flatMap((row) => row?.account_id ?? []));
  }
  const rows = await runPrepared(
    db,
    'optouts.find-accounts',
    sql<{ account_id: string }>`
    select account_id from unnest(${accountIds}::uuid[]) as account (account_id)
    where exists (select 1 from opt_outs where opt_outs.account_id = account.account_id)`,
  );
  return new Set(rows.map((row) => row.account_id));
}

const findText = (erasing: string): string => `
  select distinct wanted.place, null::uuid as erasing
  from unnest($1::uuid[], $2::text[], $3::timestamptz[]) with ordinality as wanted (account_id, digits, answered_at, place)
  join opt_outs as optout using (account_id, digits)
  where optout.channel in ('ALL', $4) and not coalesce(wanted.answered_at < optout.answer_until, false)
  union all
  select null, account_id from ${erasing}`;

const find = prepared<{ place: number | null; erasing: string | null }>(
  'optouts.find',
  findText(`(select distinct account_id from unnest($1::uuid[]) as given (account_id)) as account
  where exists (select 1 from opt_outs as erased where erased.account_id = account.account_id and erased.digits like '#%')`),
  findText(
    `(select distinct account_id from opt_outs where account_id = any ($1::uuid[]) and digits like '#%') as account`,
  ),
);

interface Wanted {
  accountId: string;
  digits: string;
  answeredAt?: Date | undefined;
}

/** Who of these does not want to hear from the account on a channel, and which accounts have opt-outs of erased people. */
export async function findAmong<R extends Wanted>(db: Db, recipients: R[], channel: string) {
  const rows = await find(db, [
    uuidArray(recipients.map(({ accountId }) => accountId)),
    recipients.map(({ digits }) => digits),
    recipients.map(({ answeredAt }) => answeredAt?.toISOString() ?? null),
    channel,
  ]);
  return {
    found: rows.flatMap(({ place }) => (place === null ? [] : [recipients[place - 1]!])),
    erasing: new Set(rows.flatMap(({ erasing }) => erasing ?? [])),
  };
}
