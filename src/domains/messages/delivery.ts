import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../../deps.ts';
import { type Loop, startLoop } from '../../platform/loop.ts';
import { type Batch, batchSize, claimBatch, deliverBatch } from './deliver.ts';
import { findWaitingAnyAccount, type Sender } from './queue.ts';
import { recoverAbandoned } from './recover.ts';
import { queueTopic } from './send.ts';

/** Senders served at the same time by this process; each holds one database connection while it is. */
const mostSenders = 6;
/** After this many batches a sender gives its place to whoever waits, so a million of one never delays one of another. */
const batchesPerTurn = 10;
/** How long a hand-over may take before the sender's next batch leaves beside it, and how many may be under way. */
const patienceMs = 100;
const mostFlights = 16;
const longestPauseMs = 1000;
const recoveryPauseMs = 2000;
/** How often a sender at its rate is looked at: 80 a second leave four at a time. */
const ratePauseMs = 50;

/**
 * Delivery: finds senders with something due and serves each, several at a time. It wakes when a message is accepted in this
 * process, soon after one is accepted in another, and looks by itself every second.
 */
export function startDelivery(deps: Deps): { stop(): Promise<void> } {
  const serving = new Map<string, Promise<void>>();
  /** Senders that got something new during their turn. */
  const renewed = new Set<string>();
  /** Senders that must not be looked at before a moment: their rate is used up, or serving them failed. */
  const resting = new Map<string, number>();
  let stopping = false;

  /** Hand-overs under way, by sender. */
  const flights = new Map<string, Set<Promise<void>>>();

  const serve = async (sender: Sender, key: string): Promise<void> => {
    for (let turn = 0; turn < batchesPerTurn && !stopping; turn++) {
      renewed.delete(key);
      const batch = await claimBatch(deps, sender);
      // Something was due and nothing could be taken: its rate is used up, and allows some more in a moment.
      if (!batch) return rest(key, ratePauseMs);
      const flight = fly(key, batch);
      // A batch usually ends soon, and the next one is the fuller for having waited. One that hangs holds up nobody.
      await Promise.race([flight, sleep(patienceMs, undefined, { ref: false })]);
      if (isCrowded(key) || (batch.claimed.length < batchSize && !renewed.has(key))) return;
    }
  };

  const fly = (key: string, batch: Batch): Promise<void> => {
    const mine = flights.get(key) ?? new Set();
    flights.set(key, mine);
    const flight = deliverBatch(deps, batch)
      .catch((error) => deps.log.error({ err: error }, 'How a hand-over ended could not be stored'))
      .finally(() => {
        mine.delete(flight);
        if (mine.size === 0) flights.delete(key);
        finder.wake();
      });
    mine.add(flight);
    return flight;
  };

  const isCrowded = (key: string): boolean => (flights.get(key)?.size ?? 0) >= mostFlights;

  const rest = (key: string, ms: number): void => {
    resting.set(key, Date.now() + ms);
    setTimeout(() => finder.wake(), ms).unref();
  };

  const finder = startLoop(deps.log, 'delivery', async () => {
    let pauseMs = longestPauseMs;
    for (const { due_at, ...sender } of await findWaitingAnyAccount(deps.db)) {
      const key = `${sender.account_id} ${sender.uuid}`;
      if (serving.has(key) || serving.size >= mostSenders || isCrowded(key) || (resting.get(key) ?? 0) > Date.now())
        continue;
      const now = deps.carriers.get(sender.carrier).clock(sender.account_id).now().getTime();
      const waitMs = Date.parse(due_at) - now;
      if (waitMs > 0) {
        pauseMs = Math.min(pauseMs, waitMs);
        continue;
      }
      const turn = serve(sender, key)
        .catch((error) => {
          deps.log.error({ err: error }, 'Delivery for a sender failed');
          rest(key, longestPauseMs);
        })
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
      await Promise.all([...flights.values()].flatMap((mine) => [...mine]));
    },
  };
}
