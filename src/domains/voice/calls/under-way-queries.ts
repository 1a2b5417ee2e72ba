import { type RawBuilder, sql } from 'kysely';
import { uuidArray } from '../../../platform/db/arrays.ts';
import { type Db, prepared } from '../../../platform/db/connect/pool.ts';
import { perAccount } from '../../../platform/db/distribute/layout.ts';
import { seeLiving } from '../../../platform/process/living.ts';
import { isInactiveSql } from '../../accounts/index.ts';
import type { CallRow } from '../queries.ts';

/** How many calls an account has at this moment. Whoever asks keeps others from asking until its transaction ends. */
export async function countUnderWay(db: Db, accountId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`calls ${accountId}`}, 0))`.execute(db);
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from calls_under_way where account_id = ${accountId}`.execute(db);
  return rows[0]!.count;
}

/** The accounts whose calls wait to be dialled. */
export async function findWaitingAnyAccount(db: Db): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select distinct account_id from calls_under_way
    where claimed_by is null and direction = 'OUTBOUND' and not ${isInactiveSql('account_id')}`.execute(db);
  return rows.map(({ account_id }) => account_id);
}

/** Takes the next calls of an account that wait to be dialled: two processes never take the same. */
export async function claimWaiting(db: Db, accountId: string, workerNumber: number, most: number): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    update calls_under_way set claimed_by = ${workerNumber}, touched_at = now()
    where account_id = ${accountId} and uuid in (
      select uuid from calls_under_way
      where account_id = ${accountId} and claimed_by is null and direction = 'OUTBOUND' and not hang_up
        and not ${isInactiveSql('calls_under_way.account_id')}
      order by created limit ${most} for update skip locked)
    returning uuid`.execute(db);
  return rows.map(({ uuid }) => uuid);
}

/**
 * Gives back what this process has claimed and not `begun` to dial: the claim's answer was lost, or the database failed after it.
 * Nobody's telephone has rung.
 */
export async function releaseUnbegunAnyAccount(db: Db, workerNumber: number, begun: string[]): Promise<void> {
  await sql`
    update calls_under_way as mine set claimed_by = null
    where claimed_by = ${workerNumber} and direction = 'OUTBOUND' and uuid <> all (${uuidArray(begun)}::uuid[])
      and exists (
        select 1 from calls where account_id = mine.account_id and uuid = mine.uuid and status = 'QUEUED')`.execute(db);
}

/** Takes a call that was told before its leg was there; false when somebody else has it, or it is over. */
export async function claimOne(db: Db, accountId: string, uuid: string, workerNumber: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update calls_under_way set claimed_by = ${workerNumber}, touched_at = now()
    where account_id = ${accountId} and uuid = ${uuid} and claimed_by is null and not hang_up`.execute(db);
  return numAffectedRows === 1n;
}

const touch = prepared<{ uuid: string }>(
  'voice.touch',
  `update calls_under_way as call set touched_at = now(), seen_at = seen.at
  from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as seen (account_id, uuid, at)
  where call.account_id = seen.account_id and call.uuid = seen.uuid and call.claimed_by = $4
  returning call.uuid`,
);

/** Says that calls are still under way; answers those that are, as far as anybody else knows. */
export async function touchAnyAccount(
  db: Db,
  workerNumber: number,
  calls: { accountId: string; uuid: string; at: Date }[],
): Promise<string[]> {
  const rows = await touch(db, [
    uuidArray(calls.map(({ accountId }) => accountId)),
    uuidArray(calls.map(({ uuid }) => uuid)),
    calls.map(({ at }) => at.toISOString()),
    workerNumber,
  ]);
  return rows.map(({ uuid }) => uuid);
}

/** Notes that somebody wants a call to end; answers who has it (null: nobody), undefined when it is over. */
export async function requestEnd(db: Db, accountId: string, uuid: string) {
  return db
    .updateTable('calls_under_way')
    .set({ hang_up: true })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .returning('claimed_by')
    .executeTakeFirst();
}

/** The calls of this process that somebody wants to end. */
export async function findEndRequestsAnyAccount(db: Db, workerNumber: number): Promise<string[]> {
  const rows = await db
    .selectFrom('calls_under_way')
    .select('uuid')
    .where('claimed_by', '=', workerNumber)
    .where('hang_up', '=', true)
    .execute();
  return rows.map(({ uuid }) => uuid);
}

export interface Lost extends CallRow {
  claimed_by: number | null;
  seen_at: string | null;
}

/**
 * Calls whose process is no more (its session lock is gone, and it has not said anything for two turns), that even a living one
 * has forgotten, and those that nobody took up within a minute.
 */
export const findLostAnyAccount = (db: Db, most: number): Promise<Lost[]> =>
  readLostAnyAccount(db, sql`order by account_id, uuid limit ${most}`);

/** Those of them that still are. Locked: others take others. */
export const lockLostAnyAccount = (db: Db, uuids: string[]): Promise<Lost[]> =>
  readLostAnyAccount(
    db,
    sql`and uuid = any (${uuidArray(uuids)}::uuid[]) order by account_id, uuid for update skip locked`,
  );

async function readLostAnyAccount(db: Db, which: RawBuilder<unknown>): Promise<Lost[]> {
  const living = await seeLiving(db);
  const isLost = sql`case when claimed_by is null then created < now() - interval '1 minute'
    when claimed_by = any (${living.workers}) then touched_at < now() - interval '1 minute'
    else ${living.isOver('touched_at', '12 seconds')} end`;
  return perAccount(db, sql`select account_id from calls_under_way where ${isLost}`, async (ofAccount) => {
    const { rows } = await sql<Lost>`
      with lost as materialized (
        select account_id, uuid, claimed_by, seen_at from calls_under_way
        where ${isLost} and ${ofAccount('account_id')} ${which}
      )
      select calls.*, lost.claimed_by, lost.seen_at
      from lost join calls on calls.account_id = lost.account_id and calls.uuid = lost.uuid
      where ${ofAccount('calls.account_id')}`.execute(db);
    return rows;
  });
}

/** How many calls of an account wait to be dialled, and since when the first does. */
export async function readWaiting(db: Db, accountId: string): Promise<{ depth: number; oldest: string | null }> {
  const { rows } = await sql<{ depth: number; oldest: string | null }>`
    select count(*) as depth, min(created) as oldest from calls_under_way
    where account_id = ${accountId} and claimed_by is null and direction = 'OUTBOUND'`.execute(db);
  return rows[0]!;
}
