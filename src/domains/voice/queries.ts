import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { keysetChunks, keysetPage, type PageQuery, type Span } from '../../platform/db/page.ts';
import { type Db, prepared } from '../../platform/db/pool.ts';
import type { Calls } from '../../platform/db/types.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { appendParameters, appendText, type NewEvent } from '../timeline/index.ts';

export type CallRow = Selectable<Calls>;

/** What changes of a call after its start. */
const changeable = [
  'status',
  'result',
  'carrier_call_id',
  'target',
  'route',
  'digits',
  'whispered',
  'started_at',
  'answered_at',
  'ended_at',
  'ring_seconds',
  'talk_seconds',
  'total_seconds',
  'hung_up_by',
  'sip_code',
  'description',
  'notes',
  'voicemail',
  'recording_seconds',
] as const;
export type CallChanges = Pick<Updateable<Calls>, (typeof changeable)[number]>;

const callsOf = (db: Db, accountId: string) => db.selectFrom('calls').selectAll().where('account_id', '=', accountId);

export const findCall = (db: Db, accountId: string, uuid: string): Promise<CallRow | undefined> =>
  callsOf(db, accountId).where('uuid', '=', uuid).executeTakeFirst();

/** Stores a new call, and, unless it is over already, who has its legs; null: nobody yet. */
export function insertCall(
  db: Db,
  accountId: string,
  call: Omit<Insertable<Calls>, 'account_id'>,
  claimedBy: number | null,
): Promise<CallRow> {
  const { uuid, direction, status } = call;
  const inserted =
    status === 'ENDED'
      ? db
      : db.with('under_way', (db) =>
          db.insertInto('calls_under_way').values({ account_id: accountId, uuid, direction, claimed_by: claimedBy }),
        );
  return inserted
    .insertInto('calls')
    .values({ account_id: accountId, ...call })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Changes a call that is not over; undefined when it is. */
export const updateCall = (
  db: Db,
  accountId: string,
  uuid: string,
  changes: CallChanges,
): Promise<CallRow | undefined> =>
  db
    .updateTable('calls')
    .set({ ...changes, modified: sql`now()` })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .where('status', '<>', 'ENDED')
    .returningAll()
    .executeTakeFirst();

const changed = changeable.map((column) => `"${column}"`).join(', ');
const change = prepared<CallRow>(
  'voice.change',
  `with over as (
    delete from calls_under_way where account_id = $1 and uuid = $2 and $3::json ->> 'status' = 'ENDED'
  ), changed as (
    update calls set (${changed}, modified) = (select ${changed}, now() from json_populate_record(calls, $3::json))
    where account_id = $1 and uuid = $2 and status <> 'ENDED' returning *
  ), told as (${appendText(4)} where exists (select from changed)
  )
  select * from changed`,
);

/**
 * Changes a call that is not over, with what its timeline says of it; undefined when it is over. One that ends is not under way
 * any more, either way.
 */
export const changeCall = async (
  db: Db,
  accountId: string,
  uuid: string,
  { changes, events }: { changes: CallChanges; events: NewEvent[] },
): Promise<CallRow | undefined> =>
  (await change(db, [accountId, uuid, JSON.stringify(changes), ...appendParameters(events)]))[0];

const startedColumns = [
  'carrier',
  'carrier_call_id',
  'number',
  'number_digits',
  'from_number',
  'from_digits',
  'to_number',
  'started_at',
  'caller_country',
  'call_tracking',
  'first_time_caller',
] as const;
export type StartedCall = Pick<Insertable<Calls>, 'uuid' | (typeof startedColumns)[number]>;

const start = prepared<CallRow>(
  'voice.start',
  `with under_way as (
    insert into calls_under_way (account_id, uuid, direction, claimed_by) values ($1, $2, 'INBOUND', $3)
  ), told as (${appendText(4)}
  )
  insert into calls (account_id, uuid, direction, status, ${startedColumns.join(', ')})
  values ($1, $2, 'INBOUND', 'RINGING', ${startedColumns.map((_, index) => `$${11 + index}`).join(', ')})
  returning *`,
);

/** Stores a call that came, with its first event and who has its leg; null: nobody yet. */
export async function insertStarted(
  db: Db,
  accountId: string,
  call: StartedCall,
  { claimedBy, events }: { claimedBy: number | null; events: NewEvent[] },
): Promise<CallRow> {
  const values = startedColumns.map((column) => call[column] ?? (column === 'call_tracking' ? '' : null));
  const rows = await start(db, [accountId, call.uuid, claimedBy, ...appendParameters(events), ...values]);
  return rows[0]!;
}

/** Whether somebody called a number before this call. */
export async function hasCalledBefore(
  db: Db,
  accountId: string,
  { number_digits, from_digits, uuid }: Pick<CallRow, 'number_digits' | 'from_digits' | 'uuid'>,
): Promise<boolean> {
  const earlier = await db
    .selectFrom('calls')
    .select('uuid')
    .where('account_id', '=', accountId)
    .where('direction', '=', sql.lit('INBOUND'))
    .where('number_digits', '=', number_digits)
    .where('from_digits', '=', from_digits)
    .where('uuid', '<', uuid)
    .limit(1)
    .executeTakeFirst();
  return earlier !== undefined;
}

export interface CallFilters {
  number?: string;
  caller?: string;
  direction?: string;
  status?: string;
  result?: string;
}

/** Digits are looked up as such; what has none is compared with nobody. */
function filtered(db: Db, accountId: string, { number, caller, direction, status, result }: CallFilters) {
  let rows = callsOf(db, accountId);
  if (number) rows = rows.where('number_digits', '=', phoneDigits(number));
  if (caller) rows = rows.where('from_digits', '=', phoneDigits(caller));
  if (direction) rows = rows.where('direction', '=', direction);
  if (status) rows = rows.where('status', '=', status);
  if (result) rows = rows.where('result', '=', result);
  return rows;
}

export const listCalls = (db: Db, accountId: string, query: PageQuery & CallFilters) =>
  keysetPage(db, filtered(db, accountId, query), query);

const records = (db: Db, accountId: string, filters: CallFilters) =>
  filtered(db, accountId, filters).where('result', 'is not', null);

export const listRecords = (db: Db, accountId: string, query: PageQuery & CallFilters) =>
  keysetPage(db, records(db, accountId, query), query);

/** All detail records that the filters let through, a chunk at a time. */
export const readRecords = (
  db: Db,
  accountId: string,
  query: CallFilters & Span & { ordering?: PageQuery['ordering'] },
): AsyncIterable<CallRow[]> =>
  keysetChunks(records(db, accountId, query), { ...query, ordering: query.ordering ?? '-created' });
