import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { jsonArray, uuidArray } from '../../platform/db/arrays.ts';
import { type Db, isDistributed, prepared } from '../../platform/db/connect/pool.ts';
import { keysetChunks, keysetPage, type PageQuery, type Span } from '../../platform/db/page.ts';
import type { Calls } from '../../platform/db/types.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { isSought, type Sought, type SoughtIn } from '../directory/index.ts';
import { type TrafficRow, trafficParameter, trafficText } from '../numbers/index.ts';
import { appendParameters, appendText, type NewEvent } from '../timeline/index.ts';
import { noteMissedText } from './calls/missed-queries.ts';

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

/** Of a call that is over and has none; undefined: it has one by now. */
export const setLateRecording = (
  db: Db,
  accountId: string,
  uuid: string,
  recording: Pick<CallRow, 'recording_seconds' | 'voicemail'>,
): Promise<CallRow | undefined> =>
  db
    .updateTable('calls')
    .set(recording)
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .where('status', '=', 'ENDED')
    .where('recording_seconds', 'is', null)
    .returningAll()
    .executeTakeFirst();

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
const changeText = (change: string): string => `
  with over as (
    delete from calls_under_way where account_id = any ($1::uuid[]) and uuid = any ($4::uuid[])
  ), ${change}, told as (${appendText(6)} where subject in (select uuid from changed)
  ), missed as (${noteMissedText}
  ), ${trafficText('$5', 'call in (select uuid from changed)')}
  select * from changed`;
const change = prepared<CallRow>(
  'voice.change',
  changeText(`changed as (
    update calls set (${changed}, modified) = (
      select ${changed}, now() from json_populate_record(calls, ($3::json[])[array_position($2::uuid[], calls.uuid)]))
    where account_id = any ($1::uuid[]) and uuid = any ($2::uuid[]) and status <> 'ENDED' returning *
  )`),
  // Of one account: what calls become is worked out before, where the shard of the account is.
  changeText(`locked as materialized (
    select uuid, to_json(calls) as call from calls
    where account_id = ($1::uuid[])[1] and uuid = any ($2::uuid[]) and status <> 'ENDED' for no key update
  ), becoming as materialized (
    select next.* from locked cross join lateral json_populate_record(
      json_populate_record(null::calls, locked.call), ($3::json[])[array_position($2::uuid[], locked.uuid)]) as next
  ), changed as (
    update calls set ${changeable.map((column) => `"${column}" = becoming."${column}"`).join(', ')}, modified = now()
    from becoming where calls.account_id = ($1::uuid[])[1] and calls.uuid = becoming.uuid returning calls.*
  )`),
);

/** A change of a call, what its timeline says of it, and, of one that ends, what its number's traffic is. */
export interface CallChange {
  accountId: string;
  uuid: string;
  changes: CallChanges;
  events: NewEvent[];
  traffic?: TrafficRow;
}

/**
 * Changes calls that are not over, each of them once; answers those, by their ids. One that ends is not under way any more,
 * either way.
 */
export async function changeCalls(db: Db, given: CallChange[]): Promise<Map<string, CallRow>> {
  const accounts = isDistributed(db) ? [...Map.groupBy(given, ({ accountId }) => accountId).values()] : [given];
  if (accounts.length > 1) {
    const parts: [string, CallRow][] = [];
    for (const some of accounts) parts.push(...(await changeCalls(db, some)));
    return new Map(parts);
  }
  const rows = await change(db, [
    uuidArray([...new Set(given.map(({ accountId }) => accountId))]),
    uuidArray(given.map(({ uuid }) => uuid)),
    jsonArray(given.map(({ changes }) => changes)),
    uuidArray(given.filter(({ changes }) => changes.status === 'ENDED').map(({ uuid }) => uuid)),
    trafficParameter(given.flatMap(({ uuid, traffic }) => (traffic ? [{ ...traffic, call: uuid }] : []))),
    ...appendParameters(
      db,
      given.flatMap(({ events }) => events),
    ),
  ]);
  return new Map(rows.map((row) => [row.uuid, row]));
}

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
export type StartedCall = Pick<Insertable<Calls>, 'account_id' | 'uuid' | (typeof startedColumns)[number]> & {
  claimed_by: number | null;
};

const started = startedColumns.join(', ');
const oddTypes: Partial<Record<string, string>> = { started_at: 'timestamptz', first_time_caller: 'boolean' };
const startedTypes = startedColumns.map((column) => `${column} ${oddTypes[column] ?? 'text'}`).join(', ');
const start = prepared<CallRow>(
  'voice.start',
  `with given as materialized (
    select * from json_to_recordset($1::json) as given (account_id uuid, uuid uuid, ${startedTypes})
  ), under_way as (
    insert into calls_under_way (account_id, uuid, direction, claimed_by)
    select account_id, uuid, 'INBOUND', claimed_by
    from json_to_recordset($1::json) as given (account_id uuid, uuid uuid, claimed_by integer)
  ), told as (${appendText(2)}
  ), stored as (
    insert into calls (account_id, uuid, direction, status, ${started})
    select account_id, uuid, 'INBOUND', 'RINGING', ${started} from given
    returning *
  )
  select * from stored`,
);

/** Stores calls that came, with their first events, and who has their legs; null: nobody yet. Answers them by their ids. */
export async function insertStarted(db: Db, calls: StartedCall[], events: NewEvent[]): Promise<Map<string, CallRow>> {
  const rows = await start(db, [JSON.stringify(calls), ...appendParameters(db, events)]);
  return new Map(rows.map((row) => [row.uuid, row]));
}

/** The `limit 1` keeps the planner from reading all calls for a join. */
const acquainted = prepared<{ uuid: string }>(
  'voice.acquainted',
  `select asked.uuid from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as asked (account_id, uuid, number, caller)
  cross join lateral (
    select 1 from calls
    where calls.account_id = asked.account_id and direction = 'INBOUND'
      and number_digits = asked.number and from_digits = asked.caller and calls.uuid < asked.uuid
    limit 1
  ) as earlier`,
  `select distinct asked.uuid
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as asked (account_id, uuid, number, caller)
  join calls on calls.account_id = asked.account_id and calls.direction = 'INBOUND'
    and calls.number_digits = asked.number and calls.from_digits = asked.caller and calls.uuid < asked.uuid`,
);

/** Which of these calls, by their ids, are of somebody who had called that number before. */
export async function findAcquainted(db: Db, calls: StartedCall[]): Promise<Set<string>> {
  if (calls.length === 0) return new Set();
  const rows = await acquainted(db, [
    uuidArray(calls.map(({ account_id }) => account_id)),
    uuidArray(calls.map(({ uuid }) => uuid)),
    calls.map(({ number_digits }) => number_digits),
    calls.map(({ from_digits }) => from_digits),
  ]);
  return new Set(rows.map(({ uuid }) => uuid));
}

export interface CallFilters {
  number?: string;
  caller?: string;
  direction?: string;
  status?: string;
  result?: string;
  /** The label of the number that was called. */
  call_tracking?: string;
  /** Only those to one of these numbers, as they were written. */
  targets?: string[];
  sought?: Sought | undefined;
}

const soughtIn: SoughtIn = { ids: ['uuid'], numbers: ['from_digits', 'to_digits', 'number_digits'] };

/** All that are not over: few among many. */
const underWay = (db: Db, accountId: string) =>
  db.selectFrom('calls_under_way').select('uuid').where('account_id', '=', accountId);

/** Digits are looked up as such; what has none is compared with nobody. */
export function filtered(db: Db, accountId: string, filters: CallFilters) {
  const { number, caller, direction, status, result, call_tracking, targets, sought } = filters;
  let rows = callsOf(db, accountId);
  if (sought) rows = rows.where(isSought(sought, soughtIn));
  if (number) rows = rows.where('number_digits', '=', phoneDigits(number));
  if (caller) rows = rows.where('from_digits', '=', phoneDigits(caller));
  if (direction) rows = rows.where('direction', '=', direction);
  if (status) rows = rows.where('status', '=', status);
  if (status && status !== 'ENDED') rows = rows.where('uuid', 'in', underWay(db, accountId));
  if (result) rows = rows.where('result', '=', result);
  if (call_tracking) rows = rows.where('call_tracking', '=', call_tracking).where('call_tracking', '<>', '');
  if (targets) rows = rows.where('target', '=', sql<string>`any (${targets}::text[])`).where('target', '<>', '');
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
