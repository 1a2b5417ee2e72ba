import { sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import type { RetentionRule } from '../../platform/db/retention.ts';

/** The age counts from the end of the launch, which may be long after its id was made. The launch itself and its counts stay. */
export const recipientRetention: RetentionRule = {
  tables: [{ name: 'campaign_recipients', key: 'campaign_log' }],
  second: 'digits',
  waiting: {
    listed: { name: 'campaign_logs', key: 'uuid' },
    when: (before) => sql`(finished_at is null or finished_at >= uuid_moment(${before}))`,
  },
};

/**
 * Removes a person from the launches of campaigns; the counts stay. A recipient who is held until quiet hours end stays until that
 * is decided.
 */
export async function eraseRecipient(db: Db, accountId: string, digits: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from campaign_recipients as recipient using campaign_logs as launch
    where launch.account_id = ${accountId} and recipient.account_id = ${accountId} and recipient.campaign_log = launch.uuid
      and recipient.digits = ${digits} and recipient.state <> 'HELD'`.execute(db);
  return Number(numAffectedRows);
}

export async function isRecipientHeld(db: Db, accountId: string, digits: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from campaign_logs as launch cross join lateral (
      select 1 from campaign_recipients as recipient
      where recipient.account_id = launch.account_id and recipient.campaign_log = launch.uuid and recipient.digits = ${digits}) as held
    where launch.account_id = ${accountId} limit 1`.execute(db);
  return rows.length > 0;
}
