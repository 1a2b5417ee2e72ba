import { sql } from 'kysely';
import { uuidArray } from '../../platform/db/arrays.ts';
import type { Db } from '../../platform/db/connect/pool.ts';

export interface Seen {
  accountId: string;
  range: string;
  windowStart: Date;
  /** A bit for each number of the range. */
  mask: string;
}

/** Notes which numbers of ranges are sent to; answers how many that makes in the window, by account and range. */
export async function noteSeen(db: Db, seen: Seen[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ account_id: string; range: string; numbers: string }>`
    insert into safeguard_ranges as known (account_id, range, window_start, seen)
    select account_id, range, window_start, seen::bit(1000)
    from unnest(${uuidArray(seen.map((one) => one.accountId))}::uuid[], ${seen.map((one) => one.range)}::text[],
      ${seen.map((one) => one.windowStart.toISOString())}::timestamptz[], ${seen.map((one) => one.mask)}::text[])
      as one (account_id, range, window_start, seen)
    order by account_id, range
    on conflict (account_id, range, window_start) do update set seen = known.seen | excluded.seen
    returning account_id, range, bit_count(seen) as numbers`.execute(db);
  return new Map(rows.map(({ account_id, range, numbers }) => [`${account_id} ${range}`, Number(numbers)]));
}

export interface PasswordRange {
  accountId: string;
  channel: string;
  range: string;
}

interface Mark extends PasswordRange {
  windowStart: Date;
  /** A bit for each number of the range. */
  mask: string;
}

export const sumsKey = ({ accountId, channel, range }: PasswordRange): string => `${accountId} ${channel} ${range}`;

/** Notes which numbers of ranges were sent a one-time password, or used it. In one order: nobody waits in a circle. */
export async function markPasswords(db: Db, column: 'sent' | 'used', marks: Mark[]): Promise<void> {
  const other = column === 'sent' ? 'used' : 'sent';
  await sql`
    insert into safeguard_passwords as known (account_id, channel, range, window_start, ${sql.ref(column)}, ${sql.ref(other)})
    select account_id, channel, range, window_start, mask::bit(1000), repeat('0', 1000)::bit(1000)
    from unnest(${uuidArray(marks.map((one) => one.accountId))}::uuid[], ${marks.map((one) => one.channel)}::text[],
      ${marks.map((one) => one.range)}::text[], ${marks.map((one) => one.windowStart.toISOString())}::timestamptz[],
      ${marks.map((one) => one.mask)}::text[]) as one (account_id, channel, range, window_start, mask)
    order by account_id, channel, range
    on conflict (account_id, channel, range, window_start) do update set
      ${sql.ref(column)} = known.${sql.ref(column)} | excluded.${sql.ref(column)}`.execute(db);
}

/** How many numbers of ranges were sent one-time passwords in a time, and how many of them used theirs. */
export async function sumPasswords(
  db: Db,
  ranges: PasswordRange[],
  { from, before }: { from: Date; before: Date },
): Promise<Map<string, { sent: number; used: number }>> {
  const { rows } = await sql<{ account_id: string; channel: string; range: string; sent: string; used: string }>`
    select known.account_id, known.channel, known.range,
      bit_count(bit_or(known.sent)) as sent, bit_count(bit_or(known.sent) & bit_or(known.used)) as used
    from unnest(${uuidArray(ranges.map((one) => one.accountId))}::uuid[], ${ranges.map((one) => one.channel)}::text[],
      ${ranges.map((one) => one.range)}::text[]) as asked (account_id, channel, range)
    join safeguard_passwords as known on known.account_id = asked.account_id and known.channel = asked.channel
      and known.range = asked.range
    where known.window_start >= ${from.toISOString()} and known.window_start < ${before.toISOString()}
    group by known.account_id, known.channel, known.range`.execute(db);
  return new Map(
    rows.map(({ account_id: accountId, channel, range, sent, used }) => [
      sumsKey({ accountId, channel, range }),
      { sent: Number(sent), used: Number(used) },
    ]),
  );
}

/** Notes that an account reports which of its one-time passwords are used. */
export const noteFeedbackGiven = (db: Db, accountId: string, now: Date) =>
  sql`
  insert into safeguards as known (account_id, feedback_since) values (${accountId}, ${now.toISOString()})
  on conflict (account_id) do update set feedback_since = coalesce(known.feedback_since, excluded.feedback_since)`.execute(
    db,
  );
