import { sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';

/** What is old, told by ids. */
export interface Retentions {
  /** What began before this is old for every account: the beginning of a month. */
  month: string;
  /** Each account with the id below which things are old for it; those that keep things the longest let go of whole months. */
  accounts: { uuid: string; before: string; isLongest: boolean }[];
}

export async function findRetentionsAnyAccount(db: Db): Promise<Retentions> {
  const { rows } = await sql<{ uuid: string; before: string; isLongest: boolean; month: string }>`
    select uuid, case when "isLongest" then month else before end as before, "isLongest", month from (
      select uuid, retention_days = max(retention_days) over () as "isLongest",
        uuid_floor(now() - make_interval(days => retention_days)) as before,
        uuid_floor(date_trunc('month', now() - make_interval(days => max(retention_days) over ()), 'UTC')) as month
      from accounts) as account
    order by uuid`.execute(db);
  return { month: rows[0]?.month ?? '00000000-0000-0000-0000-000000000000', accounts: rows };
}
