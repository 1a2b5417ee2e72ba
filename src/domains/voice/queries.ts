import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { keysetChunks, keysetPage, type PageQuery, type Span } from '../../platform/db/page.ts';
import type { Db } from '../../platform/db/pool.ts';
import type { Calls } from '../../platform/db/types.ts';
import { phoneDigits } from '../../platform/phone.ts';

export type CallRow = Selectable<Calls>;
export type CallChanges = Updateable<Calls>;

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
  db: Pick<Db, 'updateTable'>,
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

/** Ends a call; undefined when it is over already. Either way it is not under way any more. */
export const endCall = (db: Db, accountId: string, uuid: string, changes: CallChanges): Promise<CallRow | undefined> =>
  updateCall(
    db.with('under_way', (db) =>
      db.deleteFrom('calls_under_way').where('account_id', '=', accountId).where('uuid', '=', uuid),
    ),
    accountId,
    uuid,
    { ...changes, status: 'ENDED' },
  );

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
