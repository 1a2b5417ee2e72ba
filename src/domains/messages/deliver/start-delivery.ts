import type { Deps } from '../../../deps.ts';
import { type Place, startDispatch } from '../../../platform/work/dispatch.ts';
import { senderTopic } from '../../chatapp-accounts/index.ts';
import { type Batch, batchSize, claimBatch, deliverBatch, makeSlowDowns, sharedBatchSize } from './deliver-batch.ts';
import { outbox } from './move.ts';
import { findWaitingAnyAccount, type Sender } from './queue.ts';
import { recoverAbandoned } from './recover.ts';

interface WaitingSender extends Place {
  sender: Sender;
}

/** Delivery: messages leave sender by sender, at each one's rate (see `platform/work/dispatch.ts`). */
export function startDelivery(deps: Deps): { stop(): Promise<void> } {
  const slowDowns = makeSlowDowns();
  const reclaims = outbox.startReclaims(deps);
  const dispatch = startDispatch<WaitingSender, Batch>({
    name: 'delivery',
    log: deps.log,
    foreground: deps.foreground,
    watches: outbox.watch(deps),
    claimsAhead: true,
    find: (within) => findWaiting(deps, within),
    async claim({ sender }, claim, isAlone) {
      const most = isAlone ? batchSize : sharedBatchSize;
      const batch = await claimBatch(deps, sender, claim, most);
      if (!batch) return undefined;
      const notLeft = reclaims.note({ accountId: sender.account_id, owner: sender.uuid, claim }, batch.claimed);
      return { batch: { ...batch, notLeft }, isFull: batch.claimed.length >= most };
    },
    handOver: (batch, left, ending) => deliverBatch(deps, slowDowns, batch, { left, ending }),
    recover: (doubts) => recoverAbandoned(deps, doubts),
  });
  for (const topic of [outbox.topic, senderTopic]) deps.listener.on(topic, dispatch.notice);
  const clocks = outbox.followClocks(deps);
  outbox.hastenAfterJumps(deps);
  return {
    async stop() {
      await clocks.stop();
      await dispatch.stop();
      await reclaims.stop();
    },
  };
}

async function findWaiting(deps: Deps, within: (ms: number) => void): Promise<WaitingSender[]> {
  const waiting = await outbox.findReady(deps, findWaitingAnyAccount, within);
  return waiting.map(({ due_at, ...sender }) => {
    const key = `${sender.account_id} ${sender.uuid}`;
    const now = deps.carriers.get(sender.carrier).clock(sender.account_id).now();
    return { key, account: sender.account_id, queue: key, waitMs: Date.parse(due_at) - now.getTime(), sender };
  });
}
