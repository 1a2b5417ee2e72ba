import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { optedOutCode } from '../../outbox/index.ts';
import type { LogRow } from '../logs/queries.ts';

/** So many failures are looked at, the newest: more would tell nothing new, and a million would be felt. */
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
