import { sql } from 'kysely';
import { elapsedText } from './clock.ts';
import type { Db } from './connect/pool.ts';

/**
 * A rate that all processes share: a token bucket in the row of whatever sends, which fills at `messages_per_second`. The table is
 * the caller's. The texts are for its statements, whose $1 is the account and $2 the row.
 */

/**
 * The longest time for which a bucket is kept from filling. A carrier that needs more says so again, and a mistake stops a sender
 * no longer than this.
 */
const longestPauseMs = 15 * 60_000;

/**
 * What is in the bucket now: never more than one second's worth, and never further below empty than the longest pause, whatever the
 * row says.
 */
const contentText = `least(messages_per_second, greatest(rate_tokens, -messages_per_second * ${longestPauseMs / 1000})
    + ${elapsedText('rate_at')} * messages_per_second)`;

/**
 * SQL text that answers in `available` how many may leave now, and locks the row until they are taken off. It answers no row if
 * `open` is false.
 */
export const takeAllowanceText = (table: string, open: string): string => `
  select ${contentText} as available, clock_timestamp() as at
  from ${table} where account_id = $1 and uuid = $2 and ${open} for no key update`;

/**
 * SQL text that takes off what was claimed. `allowance` is the row of the text above; the bucket counts from its moment, so that no
 * time is lost.
 */
export const spendAllowanceText = (table: string, count: string): string => `
  update ${table} set rate_tokens = allowance.available - (${count}), rate_at = allowance.at
  from allowance where account_id = $1 and uuid = $2`;

/** What is left in a bucket, and how fast it fills. */
export interface Allowance {
  available: number;
  perSecond: number;
}

/** SQL text that takes off $3, the number of messages that left without a claim; the bucket may go below empty. */
export const takeOffText = (table: string, open: string): string => `
  update ${table} set rate_at = clock_timestamp(), rate_tokens = ${contentText} - $3
  where account_id = $1 and uuid = $2 and ${open}
  returning rate_tokens as available, messages_per_second as "perSecond"`;

/** The same for a distributed database, where the clock of the node must not decide. */
export const takeOffDistributedText = (table: string, open: string): string => `
  with allowance as materialized (${takeAllowanceText(table, open)})
  update ${table} as bucket set rate_at = allowance.at, rate_tokens = allowance.available - $3
  from allowance where account_id = $1 and uuid = $2
  returning bucket.rate_tokens as available, bucket.messages_per_second as "perSecond"`;

/** Stops sending for a while, in all processes: the bucket is set so far below empty that it fills for that long. */
export async function slowDown(db: Db, table: string, accountId: string, uuid: string, pauseMs: number): Promise<void> {
  const seconds = Math.min(pauseMs, longestPauseMs) / 1000;
  await sql`
    with slowed as materialized (
      select clock_timestamp() as at from ${sql.table(table)}
      where account_id = ${accountId} and uuid = ${uuid}
        -- Several may be told to slow down at once: the longest pause counts, not their sum.
        and ${sql.raw(contentText)} > -messages_per_second * ${seconds}::float8
      for no key update
    )
    update ${sql.table(table)} set rate_tokens = -messages_per_second * ${seconds}::float8, rate_at = slowed.at
    from slowed where account_id = ${accountId} and uuid = ${uuid}`.execute(db);
}
