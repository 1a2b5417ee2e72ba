import { notify } from '../../platform/db/listener.ts';
import type { Db } from '../../platform/db/pool.ts';
import { changePriority } from './launch-queries.ts';
import { queueTopic } from './send.ts';
import { priorities } from './states.ts';

const { campaign, held } = priorities;

/**
 * Holds back what a launch has queued: it stays QUEUED and keeps its place in time, but does not leave. What is being handed
 * over leaves, or is held when it comes back.
 */
export const holdLaunch = (db: Db, accountId: string, campaignLog: string): Promise<void> =>
  changePriority(db, accountId, campaignLog, { from: campaign, to: held });

/** Lets leave what was held back. */
export async function releaseLaunch(db: Db, accountId: string, campaignLog: string): Promise<void> {
  await changePriority(db, accountId, campaignLog, { from: held, to: campaign });
  await notify(db, queueTopic);
}
