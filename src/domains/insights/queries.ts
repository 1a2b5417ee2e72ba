import { type Selectable, sql } from 'kysely';
import { uuidArray } from '../../platform/db/arrays.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { perAccount } from '../../platform/db/distribute/layout.ts';
import type { InsightsConfigs } from '../../platform/db/types.ts';
import type { MissedCall } from '../voice/index.ts';
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

/** SQL of what is watched over: people who wait for an answer, callers who wait to be called back. */

export interface Watch {
  accountId: string;
  channel: 'CHATAPP' | 'SMS';
  number: string;
  person: string;
  message: string;
  since: string;
  dueAt: Date;
}

/** Of a conversation that is watched already, the first message without an answer counts. */
export async function insertWatches(db: Db, watches: Watch[]): Promise<void> {
  if (watches.length === 0) return;
  const column = (pick: (watch: Watch) => string) => watches.map(pick);
  await sql`
    with first as materialized (
      select distinct on (account_id, channel, number, person) * from unnest(
      ${uuidArray(column((watch) => watch.accountId))}::uuid[], ${column((watch) => watch.channel)}::text[],
      ${column((watch) => watch.number)}::text[], ${column((watch) => watch.person)}::text[],
      ${uuidArray(column((watch) => watch.message))}::uuid[], ${column((watch) => watch.since)}::timestamptz[],
      ${column((watch) => watch.dueAt.toISOString())}::timestamptz[])
        as watch (account_id, channel, number, person, message, since, due_at)
      -- Always in the same order, so that two who watch the same people cannot wait for each other in a circle.
      order by account_id, channel, number, person, message
    )
    insert into reply_watches (account_id, channel, number, person, message, since, due_at) select * from first
    on conflict (account_id, channel, number, person) do nothing`.execute(db);
}

/** A watch that is due, the answer that came if one did, and what they wrote after it. */
export interface DueWatch extends Omit<Watch, 'dueAt'> {
  answer: string | null;
  next: string | null;
  nextAt: string | null;
}

/** Takes what is due; other processes take others. An answer is anything that was sent to them but a campaign's messages. */
export async function takeDueWatchesAnyAccount(db: Db, now: Date, most: number): Promise<DueWatch[]> {
  const isDue = sql`due_at <= ${now.toISOString()}`;
  return perAccount(db, sql`select account_id from reply_watches where ${isDue}`, async (ofAccount) => {
    const { rows } = await sql<DueWatch>`
    with due as (
      delete from reply_watches where ${ofAccount('account_id')} and (account_id, channel, number, person) in (
        select account_id, channel, number, person from reply_watches where ${isDue} and ${ofAccount('account_id')}
        order by due_at limit ${most} for update skip locked)
      returning *
    )
    select due.account_id as "accountId", due.channel, due.number, due.person, due.message, due.since,
      answer.uuid as answer, next.uuid as next, next.created as "nextAt"
    from due
    left join lateral (
      (select uuid from messages
        where ${ofAccount('messages.account_id')} and due.channel = 'CHATAPP' and account_id = due.account_id and to_digits = due.person and uuid > due.message
          and from_digits = due.number and direction = 'OUTBOUND' and campaign_log is null
        order by uuid limit 1)
      union all
      (select uuid from sms
        where ${ofAccount('sms.account_id')} and due.channel = 'SMS' and account_id = due.account_id and to_digits = due.person and uuid > due.message
          and from_digits = due.number and direction = 'OUTBOUND' and campaign_log is null
        order by uuid limit 1)) as answer on true
    left join lateral (
      (select uuid, created from messages
        where ${ofAccount('messages.account_id')} and due.channel = 'CHATAPP' and account_id = due.account_id and from_digits = due.person and uuid > answer.uuid
          and to_digits = due.number and direction = 'INBOUND' and type not in ('REACTION', 'SYSTEM', 'UNSUPPORTED')
        order by uuid limit 1)
      union all
      (select uuid, created from sms
        where ${ofAccount('sms.account_id')} and due.channel = 'SMS' and account_id = due.account_id and from_digits = due.person and uuid > answer.uuid
          and to_digits = due.number and direction = 'INBOUND'
        order by uuid limit 1)) as next on true`.execute(db);
    return rows;
  });
}

/** Watches whether callers who did not get through are called back, where the account wants to know; of each the first call counts. */
export async function insertCallbackWatches(db: Db, missed: MissedCall[]): Promise<void> {
  if (missed.length === 0) return;
  const column = (pick: (call: MissedCall) => string) => missed.map(pick);
  await sql`
    with first as materialized (
      select distinct on (account_id, number, caller) account_id, number, caller, call, at,
        at + make_interval(mins => missed_call_window_minutes) as due_at
      from unnest(
      ${uuidArray(column(({ accountId }) => accountId))}::uuid[], ${column(({ number }) => number)}::text[],
      ${column(({ caller }) => caller)}::text[], ${uuidArray(column(({ call }) => call))}::uuid[],
      ${column(({ at }) => at)}::timestamptz[]) as missed (account_id, number, caller, call, at)
    join insights_configs using (account_id)
    where missed_call_window_minutes is not null
    order by account_id, number, caller, call
    )
    insert into callback_watches (account_id, number, caller, call, since, due_at)
    select account_id, number, caller, call, at, due_at from first
    on conflict (account_id, number, caller) do nothing`.execute(db);
}

export interface DueCallback {
  accountId: string;
  number: string;
  caller: string;
  call: string;
  since: string;
  isSettled: boolean;
  minutes: number | null;
}

/** Takes what is due. It is settled when somebody called the caller since, or the caller got through. */
export async function takeDueCallbacksAnyAccount(db: Db, now: Date, most: number): Promise<DueCallback[]> {
  const isDue = sql`due_at <= ${now.toISOString()}`;
  return perAccount(db, sql`select account_id from callback_watches where ${isDue}`, async (ofAccount) => {
    const { rows } = await sql<DueCallback>`
    with due as (
      delete from callback_watches where ${ofAccount('account_id')} and (account_id, number, caller) in (
        select account_id, number, caller from callback_watches where ${isDue} and ${ofAccount('account_id')}
        order by due_at limit ${most} for update skip locked)
      returning *
    )
    select due.account_id as "accountId", due.number, due.caller, due.call, due.since,
      exists (select 1 from calls where account_id = due.account_id and ${ofAccount('calls.account_id')} and direction = 'OUTBOUND' and uuid > due.call
        and to_digits = due.caller)
      or exists (select 1 from calls where account_id = due.account_id and ${ofAccount('calls.account_id')} and from_digits = due.caller and uuid > due.call
        and direction = 'INBOUND' and result = 'ANSWERED') as "isSettled",
      config.missed_call_window_minutes as minutes
    from due left join insights_configs as config on config.account_id = due.account_id and ${ofAccount('config.account_id')}`.execute(
      db,
    );
    return rows;
  });
}

/** Nobody waits any more for what a person may do. */
export async function eraseWatches(db: Db, accountId: string, digits: string): Promise<void> {
  await db.deleteFrom('reply_watches').where('account_id', '=', accountId).where('person', '=', digits).execute();
  await db.deleteFrom('callback_watches').where('account_id', '=', accountId).where('caller', '=', digits).execute();
}
