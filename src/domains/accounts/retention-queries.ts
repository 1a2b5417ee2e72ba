import { sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';

/** What an account may keep for another time than `retention_days`. */
export const retentionKinds = [
  'messages',
  'sms',
  'calls',
  'recordings',
  'media',
  'leads',
  'events',
  'webhooks',
] as const;
export type RetentionKind = (typeof retentionKinds)[number];

/** What is old, told by ids. */
export interface Retentions {
  /** What began before this is old for every account: the beginning of a month. */
  month: string;
  /** Each account with the id below which things are old for it; those that keep things the longest let go of whole months. */
  accounts: { uuid: string; before: string; isLongest: boolean }[];
}

/** SQL: how many days an account keeps things of a kind; without one, what has no time of its own. */
export const daysOf = (kind: string | undefined) =>
  kind === undefined
    ? sql`accounts.retention_days`
    : sql`coalesce((accounts.retention ->> ${sql.lit(kind)})::integer, accounts.retention_days)`;

export async function findRetentionsAnyAccount(db: Db, kind?: string): Promise<Retentions> {
  const { rows } = await sql<{ uuid: string; before: string; isLongest: boolean; month: string }>`
    select uuid, case when "isLongest" then month else before end as before, "isLongest", month from (
      select uuid, days = max(days) over () as "isLongest",
        uuid_floor(now() - make_interval(days => days)) as before,
        uuid_floor(date_trunc('month', now() - make_interval(days => max(days) over ()), 'UTC')) as month
      from (select uuid, ${daysOf(kind)} as days from accounts) as kept) as account
    order by uuid`.execute(db);
  return { month: rows[0]?.month ?? '00000000-0000-0000-0000-000000000000', accounts: rows };
}
