import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import { perAccount } from '../../platform/db/distribute/per-account.ts';
import type { InsightsConfigs } from '../../platform/db/types.ts';
import type { Settings } from './schemas.ts';

export type ConfigRow = Selectable<InsightsConfigs>;

export const findConfig = (db: Db, accountId: string): Promise<ConfigRow | undefined> =>
  db.selectFrom('insights_configs').selectAll().where('account_id', '=', accountId).executeTakeFirst();

/** With the account's time zone. */
export async function findConfigsAnyAccount(
  db: Db,
  accountIds: string[],
): Promise<Map<string, ConfigRow & { zone: string }>> {
  const { rows } = await sql<ConfigRow & { zone: string }>`
    select config.*, account.time_zone as zone
    from insights_configs as config join accounts as account on account.uuid = config.account_id
    where config.account_id = any(${accountIds}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.account_id, row]));
}

/** Makes sure that there is a row, and holds it until the transaction ends. */
export async function lockConfig(db: Db, accountId: string): Promise<ConfigRow> {
  const { rows } = await sql<ConfigRow>`
    insert into insights_configs (account_id) values (${accountId})
    on conflict (account_id) do update set account_id = excluded.account_id
    returning *`.execute(db);
  return rows[0]!;
}

export async function storeConfig(
  db: Db,
  accountId: string,
  settings: Settings,
  digestDueAt: Date | null,
): Promise<ConfigRow> {
  return db
    .updateTable('insights_configs')
    .set({
      missed_call_window_minutes: settings.missed_call_window_minutes,
      reply_time_target_minutes: settings.reply_time_target_minutes,
      keyword_groups: JSON.stringify(settings.keyword_groups),
      business_hours: settings.business_hours && JSON.stringify(settings.business_hours),
      digest_hour: settings.digest.hour,
      digest_due_at: digestDueAt?.toISOString() ?? null,
      modified: sql`now()`,
    })
    .where('account_id', '=', accountId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Digests that are due; other processes take others. */
export async function lockDueDigestsAnyAccount(
  db: Db,
  now: Date,
  most: number,
): Promise<(ConfigRow & { zone: string; digest_due_at: string })[]> {
  const isDue = sql`digest_due_at <= ${now.toISOString()}`;
  return perAccount(db, sql`select account_id from insights_configs where ${isDue}`, async (ofAccount) => {
    const { rows } = await sql<ConfigRow & { zone: string; digest_due_at: string }>`
      select config.*, (select time_zone from accounts where uuid = config.account_id) as zone
      from insights_configs as config
      where ${isDue} and ${ofAccount('config.account_id')}
      order by digest_due_at limit ${most} for update skip locked`.execute(db);
    return rows;
  });
}

export async function setDigestDue(db: Db, accountId: string, dueAt: Date): Promise<void> {
  await db
    .updateTable('insights_configs')
    .set({ digest_due_at: dueAt.toISOString() })
    .where('account_id', '=', accountId)
    .execute();
}
