import type { Deps } from '../../deps.ts';
import { startLoop } from '../../platform/loop.ts';
import { sendDigest } from './digest.ts';
import { judgeCallbacks, judgeReplies } from './watch.ts';
import { watchMissedCallsAnyAccount } from './watch-queries.ts';

const mostAtOnce = 500;
const pauseMs = 5000;

/** Looks for what is due. Nobody is told twice: what is taken is taken in the transaction that tells. */
export function startInsights(deps: Deps): { stop(): Promise<void> } {
  return startLoop(deps.log, 'insights', async () => ((await lookOnce(deps)) ? 0 : pauseMs));
}

/** Whether there may be more. */
export async function lookOnce(deps: Deps): Promise<boolean> {
  const looked = [
    await watchMissedCallsAnyAccount(deps.db, mostAtOnce),
    await judgeReplies(deps, mostAtOnce),
    await judgeCallbacks(deps, mostAtOnce),
  ];
  const sent = await sendDigest(deps);
  return sent || looked.some((count) => count >= mostAtOnce);
}
