import { sql } from 'kysely';
import { type Db, prepared } from '../../../platform/db/connect/pool.ts';
import type { Counts, NumberTraffic } from './insights.ts';

/** A call or SMS of one of an account's numbers. */
export interface TrafficRow {
  accountId: string;
  /** The account's number, as digits. */
  digits: string;
  kind: 'CALL_ANSWERED' | 'CALL_MISSED' | 'CALL_OTHER' | 'SMS_IN' | 'SMS_OUT';
  at: Date;
  /** Talked. */
  seconds?: number;
  /** Who called, as digits; calls without a caller's number have none. */
  caller?: string;
  /** Which call it is, for a statement that counts only some of them. */
  call?: string;
}

/** First and last day, both included, as `YYYY-MM-DD` in UTC. */
export interface DaySpan {
  from: string;
  to: string;
}

/**
 * SQL text that adds calls and SMS to the counts of their numbers, for the `with` of a statement that records them. They are
 * in a parameter, made by `trafficParameter`; `where` leaves out some.
 */
export const trafficText = (parameter: string, where = 'true'): string => `
  traffic as materialized (
    select * from json_to_recordset(${parameter}::json) as given (
      account_id uuid, digits text, kind text, day date, hour smallint, seconds bigint, caller text, call uuid)
    where ${where}
  ), called as (
    -- Both in one order, so that two sessions of one slot cannot deadlock.
    insert into number_callers (account_id, digits, day, caller)
    select distinct account_id, digits, day, caller from traffic where kind like 'CALL%' and caller is not null
    order by 1, 2, 3, 4
    on conflict do nothing
  ), counted as (
    insert into number_traffic as known (account_id, digits, day, hour, kind, slot, count, seconds)
    select account_id, digits, day, hour, kind, pg_backend_pid() % 16, count(*), sum(seconds)
    from traffic group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (account_id, digits, day, hour, kind, slot)
      do update set count = known.count + excluded.count, seconds = known.seconds + excluded.seconds
  )`;

export const trafficParameter = (rows: TrafficRow[]): string =>
  JSON.stringify(
    rows.map(({ accountId, digits, kind, at, seconds = 0, caller, call }) => ({
      account_id: accountId,
      digits,
      kind,
      day: at.toISOString().slice(0, 10),
      hour: at.getUTCHours(),
      seconds: Math.round(seconds),
      caller,
      call,
    })),
  );

const count = prepared('numbers.count-traffic', `with ${trafficText('$1')} select`);

/**
 * Adds calls and SMS to the counts of their numbers. To be called once for each, in the transaction that records it: so
 * counts and records agree whatever breaks.
 */
export async function countTraffic(db: Db, rows: TrafficRow[]): Promise<void> {
  if (rows.length > 0) await count(db, [trafficParameter(rows)]);
}

/** What came to and went from a number in a span of days. */
export async function trafficOf(db: Db, accountId: string, digits: string, span: DaySpan): Promise<NumberTraffic> {
  const inSpan = sql`account_id = ${accountId} and digits = ${digits} and day between ${span.from}::date and ${span.to}::date`;
  const [counted, callers] = await Promise.all([
    sql<Counts & { date: string | null; hour: number | null }>`
      select day as date, hour,
        coalesce(sum(count) filter (where kind like 'CALL%'), 0)::int as calls,
        coalesce(sum(count) filter (where kind = 'CALL_ANSWERED'), 0)::int as answered,
        coalesce(sum(count) filter (where kind = 'CALL_MISSED'), 0)::int as missed,
        round(coalesce(sum(seconds), 0) / 60, 1)::float8 as minutes,
        coalesce(sum(count) filter (where kind = 'SMS_IN'), 0)::int as sms_in,
        coalesce(sum(count) filter (where kind = 'SMS_OUT'), 0)::int as sms_out
      from number_traffic where ${inSpan}
      group by grouping sets ((), (day), (hour))`.execute(db),
    sql<{ callers: number }>`select count(distinct caller) as callers from number_callers where ${inSpan}`.execute(db),
  ]);
  const countsOf = (date: string | null, hour: number | null): Counts => {
    const { date: _, hour: __, ...counts } = counted.rows.find((row) => row.date === date && row.hour === hour) ?? none;
    return counts;
  };
  return {
    ...countsOf(null, null),
    unique_callers: callers.rows[0]!.callers,
    by_day: daysOf(span).map((date) => ({ date, ...countsOf(date, null) })),
    by_hour: Array.from({ length: 24 }, (_, hour) => ({ hour, ...countsOf(null, hour) })),
  };
}

const none = { date: null, hour: null, calls: 0, answered: 0, missed: 0, minutes: 0, sms_in: 0, sms_out: 0 };
const dayMs = 86_400_000;

function daysOf({ from, to }: DaySpan): string[] {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  return Array.from({ length: days }, (_, day) => dateOf(Date.parse(from) + day * dayMs));
}

const dateOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

const usualDays = 30;

/** The span that a request asks for: up to today and 30 days long where it does not say. */
export function spanOf({ from, to }: Partial<DaySpan>, now: Date): DaySpan {
  const last = to ?? dateOf(now.getTime());
  const usual = dateOf(Date.parse(last) - (usualDays - 1) * dayMs);
  // The calendar of the database has no year 0.
  return { from: from ?? (usual < '0001' ? '0001-01-01' : usual), to: last };
}

export const lengthOf = ({ from, to }: DaySpan): number => (Date.parse(to) - Date.parse(from)) / dayMs + 1;

/** A caller goes on to count as one, without the number. */
export async function eraseCaller(db: Db, accountId: string, digits: string, hash: string): Promise<void> {
  await sql`
    with gone as (
      delete from number_callers where account_id = ${accountId} and caller = ${digits} returning digits, day
    )
    insert into number_callers (account_id, digits, day, caller) select ${accountId}, digits, day, ${hash} from gone
    on conflict do nothing`.execute(db);
}
