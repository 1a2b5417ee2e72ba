import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { optedOutCode } from '../../outbox/index.ts';
import { channels } from '../feed/channels.ts';
import type { LogRow } from '../logs/queries.ts';
import { type Counts, countOf } from './states.ts';

/** This many failures in a row are no coincidence. */
const inARow = 25;

/**
 * Why a launch should not go on: the last messages that ended all failed. Those that ended before it was resumed do not count.
 * While few have failed it costs nothing.
 */
export async function findTrouble(db: Db, log: LogRow, counts: Counts): Promise<string | undefined> {
  if (countOf(counts, 'failed') < inARow) return undefined;
  const { account_id, uuid, snapshot, resumed_after: after } = log;
  const last = await channels[snapshot.channel].lastEnded(db, account_id, uuid, {
    ...(after !== null && { after }),
    most: inARow,
  });
  if (last.length < inARow || !last.every(isFailure)) return undefined;
  return `The last ${inARow} messages failed, most of them so: ${mostFrequent(last)}`;
}

/** Whether a message failed for another reason than an opt-out while it waited. */
const isFailure = ({ status, failure_code }: { status: string; failure_code: string | null }): boolean =>
  status === 'FAILED' && failure_code !== optedOutCode;

function mostFrequent(ended: { status_description: string }[]): string {
  const groups = Map.groupBy(ended, ({ status_description }) => status_description);
  return [...groups].sort(([, a], [, b]) => b.length - a.length)[0]![0];
}

/** How many failures are looked at, newest first: more would tell nothing new, and a million would take long. */
const failuresLooked = 10_000;
const mostReasons = 20;

/** Why messages of a launch failed, the most frequent first. Who opted out while the message waited is no failure. */
export async function countFailures(db: Db, { account_id, uuid, snapshot }: LogRow): Promise<Record<string, number>> {
  const states = sql.table(snapshot.channel === 'SMS' ? 'sms_states' : 'message_states');
  const { rows } = await sql<{ reason: string; count: number }>`
    select status_description as reason, count(*) from (
      select status_description, failure_code from ${states}
      where account_id = ${account_id} and campaign_log = ${uuid} and status = 'FAILED'
      order by uuid desc limit ${failuresLooked}) as newest
    where failure_code is distinct from ${optedOutCode}
    group by 1 order by 2 desc, 1 limit ${mostReasons}`.execute(db);
  return Object.fromEntries(rows.map(({ reason, count }) => [reason, count]));
}
