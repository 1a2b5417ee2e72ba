import { sql } from 'kysely';
import { aliveText } from '../../../platform/db/connect/listener.ts';
import { type Db, isDistributed } from '../../../platform/db/connect/pool.ts';
import { seeLiving } from '../../../platform/process/living.ts';
import { isInactiveSql } from '../../accounts/index.ts';

/** SQL of who works at which job. */

export interface ClaimedJob {
  account_id: string;
  uuid: string;
  type: string;
  input: unknown;
  done: number;
  file_size: number | null;
  attempts: number;
  /** It was QUEUED until now. */
  is_new: boolean;
}

/** Jobs of one account that run at the same time, in all processes. */
const mostPerAccount = 2;
/** Claims are made one after the other: two processes that count at once would both find room for one more. */
const claimLock = 7_265_003;

/**
 * Takes the next job: of the account with the fewest running, its oldest. What a dead process left is taken before anything
 * new, and so is what this one let fall: it has it by the rows, but not in `underWay`. One look into the index per
 * account that has something open, however much that is. The caller has a transaction.
 */
export async function claimNextAnyAccount(db: Db, worker: number, underWay: string[]): Promise<ClaimedJob | undefined> {
  await sql`select pg_advisory_xact_lock(${claimLock})`.execute(db);
  if (isDistributed(db)) return claimNextDistributed(db, worker, underWay);
  const { rows } = await sql<ClaimedJob>`
      with recursive alive as materialized (${sql.raw(aliveText)}
      ), owners as (
        (select account_id from jobs where status in ('QUEUED', 'RUNNING') order by account_id limit 1)
        union all
        select (select account_id from jobs
          where status in ('QUEUED', 'RUNNING') and jobs.account_id > owners.account_id order by account_id limit 1)
        from owners where account_id is not null
      ), candidates as (
        select job.*, running.count as running from owners
        cross join lateral (
          select count(*) as count from jobs where account_id = owners.account_id and status = 'RUNNING') as running
        cross join lateral (
          (select account_id, uuid, status from jobs
            where account_id = owners.account_id and status = 'RUNNING'
              -- Later than any pause is: the clock was set back since.
              and (due_at <= now() or due_at > now() + interval '20 minutes')
              and (claimed_by is null or claimed_by not in (select worker from alive)
                or (claimed_by = ${worker} and uuid <> all (${underWay}::uuid[]))))
          union all
          (select account_id, uuid, status from jobs
            where account_id = owners.account_id and status = 'QUEUED' and running.count < ${mostPerAccount}
            order by uuid limit 1)) as job
        where not ${isInactiveSql('owners.account_id')}
      ), next as (
        select jobs.account_id, jobs.uuid, jobs.status
        from candidates join jobs using (account_id, uuid, status)
        order by jobs.status = 'QUEUED', candidates.running, jobs.uuid
        -- One that is locked is being cancelled, or its dead process still has a step open.
        limit 1 for update of jobs skip locked
      )
      update jobs set status = 'RUNNING', claimed_by = ${worker}, started_at = coalesce(started_at, now()),
        attempts = attempts + (case when claimed_by is null then 0 else 1 end)
      from next where jobs.account_id = next.account_id and jobs.uuid = next.uuid
      returning jobs.account_id, jobs.uuid, jobs.type, jobs.input, jobs.done, jobs.file_size, jobs.attempts,
        next.status = 'QUEUED' as is_new`.execute(db);
  return rows[0];
}

/** The same in steps, of which each is about all shards, or locks rows of one account alone. */
async function claimNextDistributed(db: Db, worker: number, underWay: string[]): Promise<ClaimedJob | undefined> {
  const { workers } = await seeLiving(db);
  const { rows: candidates } = await sql<Pick<ClaimedJob, 'account_id' | 'uuid'> & { status: string }>`
    select * from (
      select account_id, uuid, status, row_number() over (partition by account_id, status order by uuid) as place,
        count(*) filter (where status = 'RUNNING') over (partition by account_id) as running,
        status = 'QUEUED' or (due_at <= now() or due_at > now() + interval '20 minutes')
          and (claimed_by is null or claimed_by <> all (${workers})
            or (claimed_by = ${worker} and uuid <> all (${underWay}::uuid[]))) as is_free
      from jobs where status in ('QUEUED', 'RUNNING') and not ${isInactiveSql('jobs.account_id')}) as candidate
    where is_free and (status = 'RUNNING' or place = 1 and running < ${mostPerAccount})
    order by status = 'QUEUED', running, uuid`.execute(db);
  for (const { account_id, uuid, status } of candidates) {
    const { rows } = await sql<ClaimedJob>`
      with next as materialized (
        select uuid, coalesce(started_at, now()) as started_at from jobs
        where account_id = ${account_id} and uuid = ${uuid} and status = ${status}
        for update skip locked
      )
      update jobs set status = 'RUNNING', claimed_by = ${worker}, started_at = next.started_at,
        attempts = attempts + (case when claimed_by is null then 0 else 1 end)
      from next where jobs.account_id = ${account_id} and jobs.uuid = next.uuid
      returning jobs.account_id, jobs.uuid, jobs.type, jobs.input, jobs.done, jobs.file_size, jobs.attempts,
        ${status === 'QUEUED'}::boolean as is_new`.execute(db);
    if (rows[0]) return rows[0];
  }
  return undefined;
}

/** Lets go of a job, for whoever takes it next. */
export async function releaseJob(db: Db, accountId: string, uuid: string, worker: number): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ claimed_by: null })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .where('claimed_by', '=', worker)
    .execute();
}

/** Lets go of a job in which something failed, for a while, and counts that or not. False: it happened too often already. */
export async function postponeJob(
  db: Db,
  accountId: string,
  uuid: string,
  { worker, pauseMs, mostRetries, counts }: { worker: number; pauseMs: number; mostRetries: number; counts: boolean },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update jobs set claimed_by = null, attempts = attempts + ${counts ? 1 : 0}, due_at = now() + make_interval(secs => ${pauseMs / 1000})
    where account_id = ${accountId} and uuid = ${uuid} and claimed_by = ${worker} and attempts < ${mostRetries}`.execute(
    db,
  );
  return numAffectedRows === 1n;
}
