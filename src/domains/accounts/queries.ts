import { type Selectable, sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import type { Accounts } from '../../platform/db/types.ts';
import type { AccountPatch, NotifyTemplate } from './schemas.ts';

export type AccountRow = Selectable<Accounts>;

export const findAccount = (db: Db, accountId: string): Promise<AccountRow> =>
  db.selectFrom('accounts').selectAll().where('uuid', '=', accountId).executeTakeFirstOrThrow();

export const findCountries = (db: Db, accountIds: string[]) =>
  db.selectFrom('accounts').select(['uuid', 'default_country']).where('uuid', 'in', accountIds).execute();

/** Those of the accounts that keep content out of webhooks and events. */
export const findRedactingAnyAccount = async (db: Db, accountIds: string[]): Promise<string[]> =>
  (
    await db
      .selectFrom('accounts')
      .select('uuid')
      .where('uuid', 'in', accountIds)
      .where('redact_content', '=', true)
      .execute()
  ).map(({ uuid }) => uuid);

export const findKeywordSettings = (db: Db, accountId: string) =>
  db
    .selectFrom('accounts')
    .select(['opt_out_keywords', 'help_text'])
    .where('uuid', '=', accountId)
    .executeTakeFirstOrThrow();

export function updateAccount(db: Db, accountId: string, patch: AccountPatch): Promise<AccountRow> {
  const { quiet_hours, notify_template, prices, limits, retention, ...plain } = patch;
  return db
    .updateTable('accounts')
    .set({
      ...plain,
      ...(quiet_hours !== undefined && { quiet_hours: quiet_hours && JSON.stringify(quiet_hours) }),
      ...(notify_template !== undefined && { notify_template: notify_template && JSON.stringify(notify_template) }),
      ...(prices !== undefined && { prices: prices && JSON.stringify(prices) }),
      ...(retention !== undefined && { retention: JSON.stringify(retention) }),
      ...(limits !== undefined && { limits: JSON.stringify(limits) }),
      modified: sql`now()`,
    })
    .where('uuid', '=', accountId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The template for agents who have none of their own. */
export async function findNotifyTemplate({ db }: Pick<Deps, 'db'>, accountId: string): Promise<NotifyTemplate | null> {
  const row = await db
    .selectFrom('accounts')
    .select('notify_template')
    .where('uuid', '=', accountId)
    .executeTakeFirstOrThrow();
  return row.notify_template as NotifyTemplate | null;
}

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
