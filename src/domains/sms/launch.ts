import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { notify } from '../../platform/db/listener.ts';
import { type Db, inTransaction } from '../../platform/db/pool.ts';
import { addTallies, type TallyStep } from '../tallies/index.ts';
import { type Move, stepSms } from './move.ts';
import { campaignPriority, heldPriority } from './queue.ts';
import { queueTopic } from './send.ts';
import type { OutboundStatus } from './states.ts';

/** What can be done with the SMS that a launch of a campaign sends, all at once. */

const mostAtOnce = 1000;

/** Lets nothing more of a launch leave: also what is being handed over now and comes back. */
export const holdLaunch = (db: Db, accountId: string, campaignLog: string): Promise<void> =>
  setPriority(db, accountId, campaignLog, heldPriority);

/** What was held back waits again as before, and leaves when it is due. */
export async function releaseLaunch(db: Db, accountId: string, campaignLog: string): Promise<void> {
  await setPriority(db, accountId, campaignLog, campaignPriority);
  await notify(db, queueTopic);
}

async function setPriority(db: Db, accountId: string, campaignLog: string, priority: number): Promise<void> {
  await sql`
    update sms_states set priority = ${priority}
    where account_id = ${accountId} and campaign_log = ${campaignLog} and status = 'QUEUED' and priority <> ${priority}`.execute(
    db,
  );
}

/**
 * Takes back whatever of a launch has not left yet; answers how many. What is being handed over, or may have been, is too
 * late. One transaction: campaigns feed a few seconds' worth ahead, so it is never much.
 */
export const cancelLaunch = (deps: Deps, accountId: string, campaignLog: string): Promise<number> =>
  inTransaction(deps.db, async (db) => {
    const description = 'Cancelled with its campaign.';
    const counts: TallyStep[] = [];
    for (let cancelled = 0; ; ) {
      const uuids = await lockWaiting(db, accountId, campaignLog);
      const moves = uuids.map((uuid): Move => ({ accountId, uuid, status: 'CANCELLED', description }));
      counts.push(...(await stepSms({ ...deps, db }, moves)));
      cancelled += uuids.length;
      if (uuids.length === mostAtOnce) continue;
      await addTallies(db, counts);
      return cancelled;
    }
  });

async function lockWaiting(db: Db, accountId: string, campaignLog: string): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    select uuid from sms_states
    where account_id = ${accountId} and campaign_log = ${campaignLog} and status = 'QUEUED'
      and claimed_by is null and due_at < 'infinity'
    order by uuid limit ${mostAtOnce} for update skip locked`.execute(db);
  return rows.map(({ uuid }) => uuid);
}

export interface EndedSms {
  uuid: string;
  status: OutboundStatus;
  status_description: string;
}

/** The newest SMS of a launch that do not wait any more, of those after one of them. */
export async function lastEnded(
  db: Db,
  accountId: string,
  campaignLog: string,
  { after, most }: { after?: string; most: number },
): Promise<EndedSms[]> {
  const { rows } = await sql<EndedSms>`
    select uuid, status, status_description from sms_states
    where account_id = ${accountId} and campaign_log = ${campaignLog} and status <> 'QUEUED'
      and uuid > ${after ?? '00000000-0000-0000-0000-000000000000'}
    order by uuid desc limit ${most}`.execute(db);
  return rows;
}
