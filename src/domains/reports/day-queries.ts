import { sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import type { DayCount } from './count-rows.ts';
import { addDays, type DaySpan } from './days.ts';
import type { CountedBy, Metric } from './metrics.ts';

/** SQL of the days that are counted and kept. */

export interface KeptDay {
  day: string;
  zone: string;
  counted_at: string;
}

export const findKeptDays = (db: Db, accountId: string, metric: Metric, { from, to }: DaySpan): Promise<KeptDay[]> =>
  db
    .selectFrom('report_days')
    .select(['day', 'zone', 'counted_at'])
    .where('account_id', '=', accountId)
    .where('metric', '=', metric)
    .where('day', '>=', from as never)
    .where('day', '<=', to as never)
    .$castTo<KeptDay>()
    .execute();

export interface KeptCount {
  /** The day, or null where days were summed up. */
  day: string | null;
  key: string;
  name: string;
  count: number;
  amount: number;
}

/** The counts of days that are kept, day by day or summed up. */
export async function readKeptCounts(
  db: Db,
  accountId: string,
  metric: Metric,
  { from, to }: DaySpan,
  { by, daily }: { by: CountedBy; daily: boolean },
): Promise<KeptCount[]> {
  const day = daily ? sql`day::text` : sql`null::text`;
  const { rows } = await sql<KeptCount>`
    select ${day} as day, key, name, sum(count)::bigint as count, sum(amount)::bigint as amount from report_counts
    where account_id = ${accountId} and metric = ${metric} and dimension = ${by} and day between ${from}::date and ${to}::date
    group by 1, 2, 3`.execute(db);
  return rows;
}

/** Keeps the counts of the days of a span in the place of those before. In a transaction; two that keep the same days wait for each other. */
export async function keepDays(
  db: Db,
  accountId: string,
  metric: Metric,
  { from, to }: DaySpan,
  { zone, countedAt, counts }: { zone: string; countedAt: Date; counts: DayCount[] },
): Promise<void> {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  await sql`
    insert into report_days (account_id, metric, day, zone, counted_at)
    select ${accountId}::uuid, ${metric}, day, ${zone}, ${countedAt.toISOString()}::timestamptz
    from unnest(${days}::date[]) as day order by day
    on conflict (account_id, metric, day) do update set zone = excluded.zone, counted_at = excluded.counted_at`.execute(
    db,
  );
  await sql`
    delete from report_counts
    where account_id = ${accountId} and metric = ${metric} and day between ${from}::date and ${to}::date`.execute(db);
  const column = <K extends keyof DayCount>(name: K) => counts.map((count) => count[name]);
  await sql`
    insert into report_counts (account_id, metric, dimension, day, key, name, count, amount)
    select ${accountId}::uuid, ${metric}, dimension, day, key, name, count, amount from unnest(
      ${column('dimension')}::text[], ${column('day')}::date[], ${column('key')}::text[], ${column('name')}::text[],
      ${column('count')}::bigint[], ${column('amount')}::bigint[]) as counted (dimension, day, key, name, count, amount)`.execute(
    db,
  );
}
