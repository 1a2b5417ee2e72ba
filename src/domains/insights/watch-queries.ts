import { sql } from 'kysely';
import { uuidArray } from '../../platform/db/arrays.ts';
import type { Db } from '../../platform/db/connect/pool.ts';

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
    insert into reply_watches (account_id, channel, number, person, message, since, due_at)
    select distinct on (account_id, channel, number, person) * from unnest(
      ${uuidArray(column((watch) => watch.accountId))}::uuid[], ${column((watch) => watch.channel)}::text[],
      ${column((watch) => watch.number)}::text[], ${column((watch) => watch.person)}::text[],
      ${uuidArray(column((watch) => watch.message))}::uuid[], ${column((watch) => watch.since)}::timestamptz[],
      ${column((watch) => watch.dueAt.toISOString())}::timestamptz[])
      as watch (account_id, channel, number, person, message, since, due_at)
    -- Always in the same order, so that two who watch the same people cannot wait for each other in a circle.
    order by account_id, channel, number, person, message
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
  const { rows } = await sql<DueWatch>`
    with due as (
      delete from reply_watches where (account_id, channel, number, person) in (
        select account_id, channel, number, person from reply_watches where due_at <= ${now.toISOString()}
        order by due_at limit ${most} for update skip locked)
      returning *
    )
    select due.account_id as "accountId", due.channel, due.number, due.person, due.message, due.since,
      answer.uuid as answer, next.uuid as next, next.created as "nextAt"
    from due
    left join lateral (
      (select uuid from messages
        where due.channel = 'CHATAPP' and account_id = due.account_id and to_digits = due.person and uuid > due.message
          and from_digits = due.number and direction = 'OUTBOUND' and campaign_log is null
        order by uuid limit 1)
      union all
      (select uuid from sms
        where due.channel = 'SMS' and account_id = due.account_id and to_digits = due.person and uuid > due.message
          and from_digits = due.number and direction = 'OUTBOUND' and campaign_log is null
        order by uuid limit 1)) as answer on true
    left join lateral (
      (select uuid, created from messages
        where due.channel = 'CHATAPP' and account_id = due.account_id and from_digits = due.person and uuid > answer.uuid
          and to_digits = due.number and direction = 'INBOUND' and type not in ('REACTION', 'SYSTEM', 'UNSUPPORTED')
        order by uuid limit 1)
      union all
      (select uuid, created from sms
        where due.channel = 'SMS' and account_id = due.account_id and from_digits = due.person and uuid > answer.uuid
          and to_digits = due.number and direction = 'INBOUND'
        order by uuid limit 1)) as next on true`.execute(db);
  return rows;
}

/**
 * Finds calls that ended without an answer since the last look, by the timeline. What ended in the last half minute waits: the
 * ids of events are made before their transactions commit, and one that commits late must not be passed over.
 */
export async function watchMissedCallsAnyAccount(db: Db, most: number): Promise<number> {
  const { rows } = await sql<{ looked: number }>`
    with news as materialized (
      select account_id from insights_configs as config
      where missed_call_window_minutes is not null and exists (
        select from events
        where account_id = config.account_id and subject_type = 'call' and kind = 'call.ended'
          and uuid > config.calls_seen and uuid < uuid_floor(now() - interval '30 seconds'))
    ), config as materialized (
      -- Only where there is something new: a lock is a write.
      select account_id, calls_seen, missed_call_window_minutes as minutes from insights_configs
      where account_id in (select account_id from news) and missed_call_window_minutes is not null
      for no key update skip locked
    ), ended as materialized (
      select config.account_id, config.minutes, event.uuid, event.subject, event.at
      from config cross join lateral (
        select uuid, subject, at from events
        where account_id = config.account_id and subject_type = 'call' and kind = 'call.ended'
          and uuid > config.calls_seen and uuid < uuid_floor(now() - interval '30 seconds')
        order by uuid limit ${most}) as event
    ), watched as (
      insert into callback_watches (account_id, number, caller, call, since, due_at)
      select distinct on (call.account_id, call.number_digits, call.from_digits) call.account_id, call.number_digits,
        call.from_digits, call.uuid, ended.at, ended.at + make_interval(mins => ended.minutes)
      from ended join calls as call on call.account_id = ended.account_id and call.uuid = ended.subject
      where call.direction = 'INBOUND' and call.from_digits <> ''
        and call.result in ('MISSED', 'ABANDONED', 'BUSY', 'VOICEMAIL', 'FAILED')
      order by call.account_id, call.number_digits, call.from_digits, ended.uuid
      on conflict (account_id, number, caller) do nothing
    ), seen as (
      -- There is no max() of ids before PostgreSQL 18.
      update insights_configs set calls_seen = last.uuid
      from (select distinct on (account_id) account_id, uuid from ended order by account_id, uuid desc) as last
      where insights_configs.account_id = last.account_id
    )
    select count(*)::int as looked from ended`.execute(db);
  return rows[0]!.looked;
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
  const { rows } = await sql<DueCallback>`
    with due as (
      delete from callback_watches where (account_id, number, caller) in (
        select account_id, number, caller from callback_watches where due_at <= ${now.toISOString()}
        order by due_at limit ${most} for update skip locked)
      returning *
    )
    select due.account_id as "accountId", due.number, due.caller, due.call, due.since,
      exists (select from calls where account_id = due.account_id and direction = 'OUTBOUND' and uuid > due.call
        and to_digits = due.caller)
      or exists (select from calls where account_id = due.account_id and from_digits = due.caller and uuid > due.call
        and direction = 'INBOUND' and result = 'ANSWERED') as "isSettled",
      config.missed_call_window_minutes as minutes
    from due left join insights_configs as config on config.account_id = due.account_id`.execute(db);
  return rows;
}
