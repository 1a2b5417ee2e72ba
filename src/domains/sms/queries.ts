import { type Selectable, sql } from 'kysely';
import { uuidArray } from '../../platform/db/arrays.ts';
import { type Db, prepared } from '../../platform/db/connect/pool.ts';
import { keysetChunks, keysetPage, type PageQuery } from '../../platform/db/page.ts';
import type { Sms, SmsStates } from '../../platform/db/types.ts';
import { isSought, type Sought, type SoughtIn } from '../directory/index.ts';
import { priorities } from '../outbox/index.ts';
import { eventsOf } from '../timeline/index.ts';
import { addressKey } from './addresses.ts';

/** An SMS as the API shows it: what was said, and where it stands. */
export type SmsRow = Pick<Selectable<Sms>, (typeof smsColumns)[number]> &
  Pick<Selectable<SmsStates>, (typeof stateColumns)[number]> & {
    /** 0, or left out: not so. 1: to be masked. 2: masked. */
    sensitive?: number;
    /** The SMS that was sent in its place. */
    resent_as?: string | null;
  };

const smsColumns = [
  'uuid',
  'direction',
  'from_number',
  'to_number',
  'text',
  'encoding',
  'segments',
  'keyword',
  'meta_data',
  'created',
] as const;
const stateColumns = ['status', 'status_description', 'modified'] as const;

/**
 * An SMS that is just being handed over may have no state, hence the left join; PostgreSQL also leaves it out where only SMS are
 * counted.
 */
const smsOf = (db: Db, accountId: string) =>
  db
    .selectFrom('sms')
    .leftJoin('sms_states as state', (join) =>
      join.onRef('state.account_id', '=', 'sms.account_id').onRef('state.uuid', '=', 'sms.uuid'),
    )
    .select(smsColumns.map((column) => `sms.${column}` as const))
    .select(['sms.sensitive', 'state.resent_as'])
    .select([
      sql<string>`coalesce(state.status, 'QUEUED')`.as('status'),
      sql<string>`coalesce(state.status_description, '')`.as('status_description'),
      sql<string>`coalesce(state.modified, sms.created)`.as('modified'),
    ])
    .$castTo<SmsRow>()
    .where('sms.account_id', '=', accountId);

export const findSms = (db: Db, accountId: string, uuid: string): Promise<SmsRow | undefined> =>
  smsOf(db, accountId).where('sms.uuid', '=', uuid).executeTakeFirst();

/** To whom one was sent, and when. */
export const findAddressed = (db: Db, accountId: string, uuid: string) =>
  db
    .selectFrom('sms')
    .select(['direction', 'to_digits', 'created'])
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();

/** An SMS with all that its request had. */
export interface SmsToResend extends SmsRow {
  account_id: string;
  callback_url: string | null;
}

export async function findToResend(db: Db, accountId: string, uuids: string[]): Promise<SmsToResend[]> {
  if (uuids.length === 0) return [];
  return smsOf(db, accountId).select(['sms.account_id', 'state.callback_url']).where('sms.uuid', 'in', uuids).execute();
}

/** Which of these there are. */
export async function findSmsIds(db: Db, accountId: string, uuids: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('sms')
    .select('uuid')
    .where('account_id', '=', accountId)
    .where('uuid', 'in', uuids)
    .execute();
  return rows.map(({ uuid }) => uuid);
}

export interface SmsFilters extends PageQuery {
  from?: string;
  to?: string;
  number?: string;
  direction?: string;
  status?: string;
  campaign_log?: string;
  sought?: Sought | undefined;
}

const columns = { uuid: 'sms.uuid', created: 'sms.created' };

const soughtIn: SoughtIn = { ids: ['sms.uuid'], numbers: ['from_digits', 'to_digits'] };

function records(db: Db, accountId: string, filters: SmsFilters, country: string) {
  const { from, to, number, direction, status, campaign_log } = filters;
  let rows = smsOf(db, accountId);
  if (filters.sought) rows = rows.where(isSought(filters.sought, soughtIn));
  if (from !== undefined) rows = rows.where('from_digits', '=', addressKey(from, country));
  if (to !== undefined) rows = rows.where('to_digits', '=', addressKey(to, country));
  if (number !== undefined) {
    const key = addressKey(number, country);
    rows = rows.where((any) => any.or([any('from_digits', '=', key), any('to_digits', '=', key)]));
  }
  if (direction !== undefined) rows = rows.where('direction', '=', direction);
  if (status === 'QUEUED') rows = whereQueued(rows);
  else if (status !== undefined) rows = rows.where('state.status', '=', status);
  if (campaign_log !== undefined) rows = rows.where('sms.campaign_log', '=', campaign_log);
  return rows;
}

/** Also those without a state. */
const whereQueued = (rows: ReturnType<typeof smsOf>): typeof rows =>
  rows
    .innerJoin('sms_standings as standing', (join) =>
      join.onRef('standing.account_id', '=', 'sms.account_id').onRef('standing.uuid', '=', 'sms.uuid'),
    )
    .where('standing.status', '=', 'QUEUED') as unknown as typeof rows;

export const listSms = (db: Db, accountId: string, filters: SmsFilters, country: string) =>
  keysetPage(db, records(db, accountId, filters, country), filters, columns);

/** All of them, a chunk at a time. */
export const readSms = (db: Db, accountId: string, filters: SmsFilters, country: string) =>
  keysetChunks(records(db, accountId, filters, country), filters, columns);

export interface StatusEvent {
  uuid: string;
  data: { status: string; status_description?: string; applied?: boolean };
  at: string;
}

/** The steps of one SMS that named a status, from the timeline. */
export async function listStatusEvents(db: Db, accountId: string, uuid: string, query: PageQuery) {
  const steps = eventsOf(db, accountId, uuid).where(sql`data ->> 'status'`, 'is not', null);
  const page = await keysetPage(db, steps, query, { uuid: 'uuid', created: 'at' });
  return { ...page, rows: page.rows as unknown as StatusEvent[] };
}

/** An SMS that concerns somebody beside its recipient. */
export interface ConcerningSms extends SmsRow {
  account_id: string;
  from_digits: string;
  callback_url: string | null;
  /** The webhooks of the account's own number that it was sent from; null: it was not sent from one. */
  webhooks: string[] | null;
}

const concerning = prepared<ConcerningSms>(
  'sms.concerning',
  `select sms.account_id, sms.from_digits, ${smsColumns.map((column) => `sms.${column}`).join()},
    ${stateColumns.map((column) => `state.${column}`).join()}, sms.sensitive, state.callback_url, number.webhooks
  from sms
  join sms_states as state on state.account_id = sms.account_id and state.uuid = sms.uuid
  left join numbers as number on number.account_id = sms.account_id and number.digits = sms.from_digits
    and number.released_at is null
  where (sms.account_id, sms.uuid) in (select * from unnest($1::uuid[], $2::uuid[]))
    and (number.uuid is not null or state.callback_url is not null or sms.account_id = any ($3::uuid[]))
  order by sms.uuid`,
);

/** Those of these that were sent from an own number, have an address that wants to hear of them, or are of an account that listens. */
export const findConcerningAnyAccount = (
  db: Db,
  some: { accountId: string; uuid: string }[],
  listening: ReadonlySet<string>,
): Promise<ConcerningSms[]> =>
  concerning(db, [
    uuidArray(some.map(({ accountId }) => accountId)),
    uuidArray(some.map(({ uuid }) => uuid)),
    uuidArray([...listening]),
  ]);

/** How many SMS of an account wait, counted up to `most`, and since when the first one does; those of paused launches do not count. */
export async function readQueue(db: Db, accountId: string, most: number) {
  const { rows } = await sql<{ depth: number; oldest: string | null }>`
    select count(*) as depth, min(created) as oldest from (
      select sms.created from sms_states as state
      join sms on sms.account_id = state.account_id and sms.uuid = state.uuid
      where state.account_id = ${accountId} and state.status = 'QUEUED' and state.claimed_by is null
        and state.priority < ${priorities.paused}
      order by state.uuid limit ${most}) as waiting`.execute(db);
  return rows[0]!;
}
