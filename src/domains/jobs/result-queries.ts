import { sql } from 'kysely';
import { jsonArray } from '../../platform/db/arrays.ts';
import { type Db, prepared } from '../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../platform/db/page.ts';
import type { RetentionRule } from '../../platform/db/retention.ts';

/** What came of one item. */
export interface NewResult {
  /** Its place in the input; of a file, its line. */
  index: number;
  ok: boolean;
  value: unknown;
}
export type ResultRow = NewResult & { uuid: string };

const insert = prepared<never>(
  'jobs.insert-results',
  `insert into job_results (account_id, job, index, ok, value)
  select $1, $2, * from unnest($3::bigint[], $4::boolean[], $5::json[])`,
);

export async function insertResults(db: Db, accountId: string, job: string, results: NewResult[]): Promise<void> {
  if (results.length === 0) return;
  await insert(db, [
    accountId,
    job,
    results.map(({ index }) => index),
    results.map(({ ok }) => ok),
    jsonArray(results.map(({ value }) => value)),
  ]);
}

const resultsOf = (db: Db, accountId: string, job: string) =>
  db
    .selectFrom('job_results')
    .select(['uuid', 'index', 'ok', 'value'])
    .where('account_id', '=', accountId)
    .where('job', '=', job)
    .$castTo<ResultRow>();

/** In the order of the items. */
export function listResults(
  db: Db,
  accountId: string,
  job: string,
  { ok, ...query }: Pick<PageQuery, 'page_size' | 'cursor'> & { ok?: boolean },
) {
  let rows = resultsOf(db, accountId, job);
  // Written out, so that PostgreSQL sees that the index of failures fits.
  if (ok === false) rows = rows.where((where) => where.not('ok'));
  if (ok === true) rows = rows.where('ok', '=', true);
  return keysetPage(db, rows, { ...query, ordering: 'created' });
}

/** Failures in the order of the items, after one of them if it is given. */
export const findFailures = (
  db: Db,
  accountId: string,
  job: string,
  most: number,
  after?: string,
): Promise<ResultRow[]> =>
  resultsOf(db, accountId, job)
    .where((where) => where.not('ok'))
    .$if(after !== undefined, (rows) => rows.where('uuid', '>', after!))
    .orderBy('uuid')
    .limit(most)
    .execute();

/**
 * Takes a number out of the results of an account's jobs: what was answered for an item that names it, however it is written. Goes through
 * the jobs after one, as many as have at most so many results, and answers where to go on.
 */
export async function blankResultsNaming(
  db: Db,
  accountId: string,
  digits: string,
  { after, most }: { after: string; most: number },
): Promise<{ deleted: number; next: string | null }> {
  const { rows } = await sql<{ uuid: string }>`
    select uuid from jobs where account_id = ${accountId} and uuid > ${after} order by uuid limit ${Math.ceil(most / 100)}`.execute(
    db,
  );
  if (rows.length === 0) return { deleted: 0, next: null };
  const { numAffectedRows = 0n } = await sql`
    update job_results set value = '{"erased": true}'
    where account_id = ${accountId} and job = any (${rows.map(({ uuid }) => uuid)}::uuid[])
      and regexp_replace(value::text, '\\D', '', 'g') like ${`%${digits}%`}`.execute(db);
  return { deleted: Number(numAffectedRows), next: rows.at(-1)!.uuid };
}

/** What came of each item. The job itself stays, with its counts. */
export const resultRetention: RetentionRule = {
  tables: [{ name: 'job_results', key: 'job' }],
  second: 'uuid',
  waiting: {
    listed: { name: 'jobs', key: 'uuid' },
    when: (before) => sql`(finished_at is null or finished_at >= uuid_moment(${before}))`,
  },
};
