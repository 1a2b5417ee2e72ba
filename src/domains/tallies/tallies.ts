import { sql } from 'kysely';
import { type Db, prepared } from '../../platform/db/connect/pool.ts';

/** So many more (or, below zero, fewer) of something: members of a list, messages of a launch in a state. */
export interface TallyStep {
  accountId: string;
  subject: string;
  name: string;
  count: number;
}

const add = prepared<never>(
  'tallies.add',
  `insert into tallies (account_id, subject, name, count)
  select account_id, subject, name, sum(count) from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[])
    as step (account_id, subject, name, count)
  group by account_id, subject, name having sum(count) <> 0
  -- Always in the same order: two transactions that count the same things wait for each other and never in a circle.
  order by account_id, subject, name
  on conflict (account_id, subject, name) do update set count = tallies.count + excluded.count`,
);

/**
 * Counts, in the transaction that changes what is counted. The rows stay locked until that ends: make it one of the last
 * statements.
 */
export async function addTallies(db: Db, steps: TallyStep[]): Promise<void> {
  if (steps.length === 0) return;
  await add(db, [
    steps.map(({ accountId }) => accountId),
    steps.map(({ subject }) => subject),
    steps.map(({ name }) => name),
    steps.map(({ count }) => count),
  ]);
}

/** All counts of each of these subjects, by name; what was never counted is not there. */
export async function readTallies(
  db: Db,
  accountId: string,
  subjects: string[],
): Promise<Map<string, ReadonlyMap<string, number>>> {
  const rows = await db
    .selectFrom('tallies')
    .select(['subject', 'name', 'count'])
    .where('account_id', '=', accountId)
    .where('subject', '=', sql<string>`any(${subjects}::uuid[])`)
    .execute();
  const tallies = new Map<string, Map<string, number>>(subjects.map((subject) => [subject, new Map()]));
  for (const { subject, name, count } of rows) tallies.get(subject)?.set(name, Number(count));
  return tallies;
}
