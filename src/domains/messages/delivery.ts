import type { Deps } from '../../deps.ts';
import { type Loop, startLoop } from '../../platform/loop.ts';
import { batchSize, deliverBatch } from './deliver.ts';
import { findWaitingAnyAccount, type Sender } from './queue.ts';
import { recoverAbandoned } from './recover.ts';
import { queueTopic } from './send.ts';

/** Senders served at the same time by this process; each holds one database connection while it is. */
const mostSenders = 6;
/** After this many batches a sender gives its place to whoever waits, so a million of one never delays one of another. */
const batchesPerTurn = 10;
const longestPauseMs = 1000;
const recoveryPauseMs = 2000;

/**
 * Delivery: finds senders with something due and serves each, several at a time. It wakes when a message is accepted in this
 * process, soon after one is accepted in another, and looks by itself every second.
 */
export function startDelivery(deps: Deps): { stop(): Promise<void> } {
  const serving = new Map<string, Promise<void>>();
  /** Senders that got something new during their turn. */
  const renewed = new Set<string>();
  let stopping = false;

  const serve = async (sender: Sender, key: string): Promise<void> => {
    for (let batch = 0; batch < batchesPerTurn && !stopping; batch++) {
      renewed.delete(key);
      const handed = await deliverBatch(deps, sender);
      if (handed < batchSize && !renewed.has(key)) return;
    }
  };

  const finder = startLoop(deps.log, 'delivery', async () => {
    let pauseMs = longestPauseMs;
    for (const { due_at, ...sender } of await findWaitingAnyAccount(deps.db)) {
      const key = `${sender.account_id} ${sender.uuid}`;
      if (serving.has(key) || serving.size >= mostSenders) continue;
      const now = deps.carriers.get(sender.carrier).clock(sender.account_id).now().getTime();
      const waitMs = Date.parse(due_at) - now;
      if (waitMs > 0) {
        pauseMs = Math.min(pauseMs, waitMs);
        continue;
      }
      const turn = serve(sender, key)
        .catch((error) => deps.log.error({ err: error }, 'Delivery for a sender failed'))
        .finally(() => {
          serving.delete(key);
          finder.wake();
        });
      serving.set(key, turn);
    }
    return pauseMs;
  });

  const recovery: Loop = startLoop(deps.log, 'recovery', async () => {
    const found = await recoverAbandoned(deps);
    if (found > 0) finder.wake();
    return recoveryPauseMs;
  });

  deps.listener.on(queueTopic, (sender) => {
    if (serving.has(sender)) renewed.add(sender);
    else finder.wake();
  });

  return {
    async stop() {
      stopping = true;
      await Promise.all([finder.stop(), recovery.stop()]);
      await Promise.all(serving.values());
    },
  };
}
