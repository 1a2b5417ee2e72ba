import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { within } from '../../platform/within.ts';
import { startLoop } from '../../platform/work/loop.ts';
import { noteSetAside } from '../../platform/work/set-aside.ts';
import { isBadValue } from '../../platform/work/split-on-failure.ts';
import { sendDigest } from './digest.ts';
import { lockDueDigestsAnyAccount, setDigestDue } from './queries.ts';
import { judgeCallbacks, judgeReplies, watchMissedCalls } from './watch.ts';
import { takeDueCallbacksAnyAccount, takeDueWatchesAnyAccount } from './watch-queries.ts';

const mostAtOnce = 500;
const pauseMs = 5000;
const dayMs = 86_400_000;

/** Looks for what is due. Nobody is told twice: what is taken is taken in the transaction that tells. */
export function startInsights(deps: Deps): { stop(): Promise<void> } {
  return startLoop(deps.log, 'insights', async () => ((await lookOnce(deps)) ? 0 : pauseMs));
}

/** Whether there may be more. */
export async function lookOnce(deps: Deps): Promise<boolean> {
  const looked = [
    await watchMissedCalls(deps, mostAtOnce),
    await judge(deps, judgeReplies, takeDueWatchesAnyAccount),
    await judge(deps, judgeCallbacks, takeDueCallbacksAnyAccount),
  ];
  const sent = await sendDigest(deps).catch((error) => {
    if (!isBadValue(error)) throw error;
    return skipDigest(deps, error);
  });
  return sent || looked.some((count) => count >= mostAtOnce);
}

type Take = (db: Db, now: Date, most: number) => Promise<{ accountId: string }[]>;

/** Judges what is due. After a failure, the first of it alone; if that fails, too, it is taken and set aside. */
async function judge(deps: Deps, work: (deps: Deps, most: number) => Promise<number>, take: Take): Promise<number> {
  for (const most of [mostAtOnce, 1]) {
    try {
      const judged = await work(deps, most);
      return most === 1 ? mostAtOnce : judged;
    } catch (error) {
      if (!isBadValue(error)) throw error;
      if (most > 1) continue;
      const [first] = await take(deps.db, deps.clock.now(), 1);
      if (first) noteSetAside(deps.log, 'insights', error as Error, { accountId: first.accountId });
    }
  }
  return mostAtOnce;
}

/** A digest that cannot be made is left out for a day. */
const skipDigest = (deps: Deps, error: Error): Promise<boolean> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const now = deps.clock.now();
    const [config] = await lockDueDigestsAnyAccount(db, now, 1);
    if (!config) return false;
    await setDigestDue(db, config.account_id, new Date(now.getTime() + dayMs));
    noteSetAside(deps.log, 'digests', error, { accountId: config.account_id });
    return true;
  });
