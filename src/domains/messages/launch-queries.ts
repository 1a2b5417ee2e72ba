import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import { queued } from './queue.ts';
import { type OutboundStatus, priorities } from './states.ts';

/** SQL of the messages of one launch of a campaign. Cost: as many rows as still wait, however many have left. */

/** Gives what is queued another place. In the order in which everybody locks messages, so that nobody waits in a circle. */
export async function changePriority(
  db: Db,
  accountId: string,
  campaignLog: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await sql`
    with placed as materialized (
      select uuid from message_states
      where account_id = ${accountId} and campaign_log = ${campaignLog} and ${sql.raw(queued)} and priority = ${from}
      order by uuid for no key update
    )
    -- The time it was held does not count as time in which it was tried.
    update message_states set priority = ${to}, give_up_at = null
    where account_id = ${accountId} and uuid = any (array(select uuid from placed))`.execute(db);
}

/** What is queued, locked. What is being handed over, or may have been, cannot be taken back any more. */
export async function lockLaunch(db: Db, accountId: string, campaignLog: string) {
  const { rows } = await sql<{ uuid: string; is_claimed: boolean; is_waiting: boolean }>`
    select uuid, claimed_by is not null as is_claimed, claimed_by is null and due_at < 'infinity' as is_waiting
    from message_states
    where account_id = ${accountId} and campaign_log = ${campaignLog} and ${sql.raw(queued)}
    order by uuid for update`.execute(db);
  return rows;
}

/** Lets messages that are being handed over not leave again, should they come back. */
export async function withdraw(db: Db, accountId: string, uuids: string[]): Promise<void> {
  if (uuids.length === 0) return;
  await sql`
    update message_states set priority = ${priorities.withdrawn}
    where account_id = ${accountId} and uuid = any (${uuids}::uuid[])`.execute(db);
}

export interface Ended {
  uuid: string;
  status: Exclude<OutboundStatus, 'QUEUED'>;
  status_description: string;
  failure_code: string | null;
}

/** The newest of a launch that are not queued any more, newest first; with `after` only those that came after it. */
export async function lastEnded(
  db: Db,
  accountId: string,
  campaignLog: string,
  { after, most }: { after?: string | undefined; most: number },
): Promise<Ended[]> {
  const newer = after === undefined ? sql`` : sql`and uuid > ${after}`;
  // A look into the index per status: what still waits is not read.
  const { rows } = await sql<Ended>`
    select newest.uuid, ended.status, newest.status_description, newest.failure_code
    from (values ('SENT'), ('DELIVERED'), ('READ'), ('FAILED'), ('CANCELLED')) as ended (status)
    cross join lateral (
      select uuid, status_description, failure_code from message_states
      where account_id = ${accountId} and campaign_log = ${campaignLog} and status = ended.status ${newer}
      order by uuid desc limit ${most}) as newest
    order by newest.uuid desc limit ${most}`.execute(db);
  return rows;
}
