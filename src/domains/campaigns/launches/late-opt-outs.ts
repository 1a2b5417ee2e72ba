import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { optedOutCode } from '../../outbox/index.ts';
import { readTallies } from '../../tallies/index.ts';
import type { LogRow } from '../logs/queries.ts';
import { countOf } from './counts.ts';

/**
 * Who opted out while the message waited is counted at once, and stands in the list of those left out when the launch is over.
 * Only a launch that has such people is looked through.
 */
export async function noteLateOptOuts(db: Db, log: LogRow): Promise<void> {
  const { account_id, uuid, snapshot } = log;
  const counted = countOf((await readTallies(db, account_id, [uuid])).get(uuid)!, 'opted_out');
  if (counted === 0) return;
  const ofLaunch = sql`account_id = ${account_id} and campaign_log = ${uuid}`;
  const { rows } = await sql<{ noted: number }>`
    select count(*) as noted from campaign_recipients
    where ${ofLaunch} and state = 'SKIPPED' and reason = 'opted_out'`.execute(db);
  if (rows[0]!.noted >= counted) return;
  const [messages, states] = snapshot.channel === 'SMS' ? ['sms', 'sms_states'] : ['messages', 'message_states'];
  const { rows: late } = await sql<{ to_digits: string }>`
    select message.to_digits from (
      select uuid from ${sql.table(states!)}
      where ${ofLaunch} and status = 'FAILED' and failure_code = ${optedOutCode}) as failed
    join ${sql.table(messages!)} as message on message.account_id = ${account_id} and message.uuid = failed.uuid`.execute(
    db,
  );
  // A statement of its own, which joins nothing: see decision 65.
  await sql`
    update campaign_recipients set state = 'SKIPPED', reason = 'opted_out'
    where ${ofLaunch} and digits = any (${late.map((message) => message.to_digits)}) and state = 'QUEUED'`.execute(db);
}
