import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { notify } from '../../platform/db/listener.ts';
import type { Db } from '../../platform/db/pool.ts';
import { within } from '../../platform/within.ts';
import { addTallies, type TallyStep } from '../tallies/index.ts';
import { type Move, stepSms } from './move.ts';
import { cancelledWithLaunch } from './postpone.ts';
import { campaignPriority, heldPriority, withdrawnPriority } from './queue.ts';
import { queueTopic } from './send.ts';
import type { OutboundStatus } from './states.ts';

/** What can be done with the SMS that a launch of a campaign sends, all at once. */

const mostAtOnce = 1000;

/** Lets nothing more of a launch leave: also what is being handed over now and comes back. */
export const holdLaunch = (db: Db, accountId: string, campaignLog: string): Promise<void> =>
  changePriority(db, accountId, campaignLog, { from: campaignPriority, to: heldPriority });

/** What was held back waits again as before, and leaves when it is due. */
export async function releaseLaunch(db: Db, accountId: string, campaignLog: string): Promise<void> {
  await changePriority(db, accountId, campaignLog, { from: heldPriority, to: campaignPriority });
  await notify(db, queueTopic);
}

/** Gives what is queued another place. In the order in which everybody locks SMS, so that nobody waits in a circle. */
async function changePriority(
  db: Db,
  accountId: string,
  campaignLog: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await sql`
    with placed as materialized (
      select uuid from sms_states
      where account_id = ${accountId} and campaign_log = ${campaignLog} and status = 'QUEUED' and priority = ${from}
      order by uuid for no key update
    )
    -- The time it was held does not count as time in which it was tried.
    update sms_states set priority = ${to}, give_up_at = null
    where account_id = ${accountId} and uuid = any (array(select uuid from placed))`.execute(db);
}

/**
 * Takes back whatever of a launch has not left yet; answers how many. What is being handed over leaves, or is taken back if it
 * is put off. One transaction: campaigns feed a few seconds' worth ahead, so it is never much.
 */
export const cancelLaunch = (deps: Deps, accountId: string, campaignLog: string): Promise<number> =>
  within(deps, async (deps) => {
    const { db } = deps;
    // All at once: the counts stay locked from the first batch on, and nothing may be waited for after that.
    const queued = await lockQueued(db, accountId, campaignLog);
    await withdraw(
      db,
      accountId,
      queued.filter((sms) => sms.is_claimed).map(({ uuid }) => uuid),
    );
    const waiting = queued.filter((sms) => sms.is_waiting);
    const counts: TallyStep[] = [];
    for (let from = 0; from < waiting.length; from += mostAtOnce) {
      const batch = waiting.slice(from, from + mostAtOnce);
      const moves = batch.map(({ uuid }): Move => ({ accountId, uuid, ...cancelledWithLaunch }));
      counts.push(...(await stepSms(deps, moves)));
    }
    await addTallies(db, counts);
    return waiting.length;
  });

async function lockQueued(db: Db, accountId: string, campaignLog: string) {
  const { rows } = await sql<{ uuid: string; is_claimed: boolean; is_waiting: boolean }>`
    select uuid, claimed_by is not null as is_claimed, claimed_by is null and due_at < 'infinity' as is_waiting
    from sms_states
    where account_id = ${accountId} and campaign_log = ${campaignLog} and status = 'QUEUED'
    order by uuid for update`.execute(db);
  return rows;
}

async function withdraw(db: Db, accountId: string, uuids: string[]): Promise<void> {
  if (uuids.length === 0) return;
  await sql`
    update sms_states set priority = ${withdrawnPriority}
    where account_id = ${accountId} and uuid = any (${uuids}::uuid[])`.execute(db);
}

export interface EndedSms {
  uuid: string;
  status: OutboundStatus;
  status_description: string;
  failure_code: string | null;
}

/** The newest SMS of a launch that do not wait any more, of those after one of them. */
export async function lastEnded(
  db: Db,
  accountId: string,
  campaignLog: string,
  { after, most }: { after?: string; most: number },
): Promise<EndedSms[]> {
  const { rows } = await sql<EndedSms>`
    select uuid, status, status_description, failure_code from sms_states
    where account_id = ${accountId} and campaign_log = ${campaignLog} and status <> 'QUEUED'
      and uuid > ${after ?? '00000000-0000-0000-0000-000000000000'}
    order by uuid desc limit ${most}`.execute(db);
  return rows;
}
