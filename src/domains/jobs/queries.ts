import { type Selectable, sql } from 'kysely';
import { contentOf, type Db } from '../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../platform/db/page.ts';
import type { Jobs } from '../../platform/db/types.ts';
import type { Counts } from './running/work.ts';

const columns = [
  'uuid',
  'type',
  'status',
  'from_file',
  'callback_url',
  'done',
  'total',
  'counts',
  'reason',
  'file_size',
  'created',
  'started_at',
  'finished_at',
] as const;

/** A job as the API shows it; its input, which may be large, is read by whoever does it. */
export type JobRow = Pick<Selectable<Jobs>, (typeof columns)[number]> & { counts: Counts };

export interface NewJob {
  uuid: string;
  type: string;
  input: unknown;
  from_file: boolean;
  callback_url: string | null;
  total: number | null;
}

/** What of an input is content; it is gone when the job ends. */
const said: ReadonlySet<string> = new Set(['messages', 'text']);

export const insertJob = (db: Db, accountId: string, { input, ...job }: NewJob): Promise<JobRow> =>
  db
    .insertInto('jobs')
    .values({
      account_id: accountId,
      ...job,
      input: contentOf(db).fields(accountId, input as object as Record<string, unknown>, said),
    })
    .returning(columns)
    .$castTo<JobRow>()
    .executeTakeFirstOrThrow();

const jobsOf = (db: Db, accountId: string) =>
  db.selectFrom('jobs').select(columns).where('account_id', '=', accountId).$castTo<JobRow>();

export const findJob = (db: Db, accountId: string, uuid: string): Promise<JobRow | undefined> =>
  jobsOf(db, accountId).where('uuid', '=', uuid).executeTakeFirst();

/**
 * Waits for one's turn at a job, which lasts until the transaction ends. Rows are had by whoever asks in the right moment, and
 * a process that asks again and again would keep everybody else from them; here whoever came first is first.
 */
const takeTurn = (db: Db, uuid: string) => sql`select pg_advisory_xact_lock(hashtextextended(${uuid}, 7))`.execute(db);

/** Held until the transaction ends; whoever is in the middle of a step is waited for. */
export async function lockJob(db: Db, accountId: string, uuid: string): Promise<JobRow | undefined> {
  await takeTurn(db, uuid);
  return jobsOf(db, accountId).where('uuid', '=', uuid).forUpdate().executeTakeFirst();
}

export function listJobs(db: Db, accountId: string, query: PageQuery & { type?: string; status?: string }) {
  let rows = jobsOf(db, accountId);
  if (query.type) rows = rows.where('type', '=', query.type);
  if (query.status) rows = rows.where('status', '=', query.status);
  return keysetPage(db, rows, query);
}

/** How far a job is, if it runs in the hands of that process; locked until the transaction ends. */
export async function lockClaimed(
  db: Db,
  accountId: string,
  uuid: string,
  worker: number,
): Promise<{ done: number; counts: Counts } | undefined> {
  await takeTurn(db, uuid);
  return db
    .selectFrom('jobs')
    .select(['done', 'counts'])
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .where('status', '=', 'RUNNING')
    .where('claimed_by', '=', worker)
    .forUpdate()
    .$castTo<{ done: number; counts: Counts }>()
    .executeTakeFirst();
}

/** A step succeeded: failures before it do not count any more. */
export async function storeProgress(
  db: Db,
  accountId: string,
  uuid: string,
  { done, total, counts, fileSize }: { done: number; total?: number; counts: Counts; fileSize?: number },
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({
      done,
      counts: JSON.stringify(counts),
      attempts: 0,
      ...(total !== undefined && { total }),
      ...(fileSize !== undefined && { file_size: fileSize }),
    })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .execute();
}

/** Ends a job. What it was to do is forgotten, but for how to read its file; how far it came is kept. */
export const endJob = (
  db: Db,
  accountId: string,
  uuid: string,
  { status, reason = '' }: { status: 'SUCCEEDED' | 'FAILED' | 'CANCELLED'; reason?: string },
): Promise<JobRow> =>
  db
    .updateTable('jobs')
    .set({
      status,
      reason,
      // By a function that does not depend on settings: Citus takes no other here.
      input: sql`case when from_file then json_object(array['delimiter', input ->> 'delimiter']) end`,
      claimed_by: null,
      finished_at: sql`now()`,
    })
    .$if(status === 'SUCCEEDED', (update) => update.set({ total: sql`done` }))
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .returning(columns)
    .$castTo<JobRow>()
    .executeTakeFirstOrThrow();

/** What stands between the cells of the file of a job; null: it is found out. */
export async function findDelimiter(db: Db, accountId: string, uuid: string): Promise<string | null> {
  const row = await db
    .selectFrom('jobs')
    .select(sql<string | null>`input ->> 'delimiter'`.as('delimiter'))
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return row?.delimiter ?? null;
}

/** A job of a type that has not ended, whose input has this value under a name. */
export const findOpenWith = (
  db: Db,
  accountId: string,
  type: string,
  { name, value }: { name: string; value: string },
): Promise<JobRow | undefined> =>
  jobsOf(db, accountId)
    .where('status', 'in', ['QUEUED', 'RUNNING'])
    .where('type', '=', type)
    .where(sql<boolean>`input ->> ${name} = ${value}`)
    .executeTakeFirst();

/** Which of these jobs have not ended. */
export async function findOpenAnyAccount(db: Db, jobs: { accountId: string; uuid: string }[]): Promise<Set<string>> {
  const { rows } = await sql<{ uuid: string }>`
    select uuid from jobs where status in ('QUEUED', 'RUNNING') and (account_id, uuid) in (
      select * from unnest(${jobs.map(({ accountId }) => accountId)}::uuid[], ${jobs.map(({ uuid }) => uuid)}::uuid[]))`.execute(
    db,
  );
  return new Set(rows.map((row) => row.uuid));
}
