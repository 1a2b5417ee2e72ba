import type { Deps } from '../../../deps.ts';
import { makeOutbound, type Outbound } from '../../../platform/outbound/client.ts';
import { makeBatches } from '../../../platform/work/batches.ts';
import { makeHands } from '../../../platform/work/hands.ts';
import { startLoop } from '../../../platform/work/loop.ts';
import { webhookTopic } from '../announce.ts';
import {
  findWaitingAnyAccount,
  isClaimedText,
  isWaitingText,
  markDueAnyAccount,
  releaseAbandonedAnyAccount,
  type Waiting,
} from './queue.ts';
import { serveEndpoint } from './serve.ts';

/** Endpoints served at the same time by this process. Failing ones get half of the places at most: they may hang. */
const mostServed = 32;
const mostFailingServed = 16;
/** Messages may each name another address; should they all hang, they do not take every place. */
const mostCallbacksServed = 8;
const longestPauseMs = 1000;
/** A look costs as much as there are endpoints with something to send; those that hang stay among them. */
const lookingShare = 0.2;
const recoveryPauseMs = 2000;
/** From a signal to the look for what is new: by then its transaction is committed, and many signals are one look. */
const signalPauseMs = 20;
/** Nobody waits for the record of an attempt, so those of ten milliseconds are stored together; a lone one at once. */
const gathering = { largest: 500, inFlight: 2, apartMs: 10 };
/** How long requests under way may take when the process ends. */
const drainMs = 3000;

/**
 * Delivery of webhooks: finds endpoints with something due and serves each, several at a time. It wakes when an event is
 * announced, and looks by itself every second.
 */
export function startWebhookDelivery(
  given: Deps,
  outbound: Outbound = makeOutbound({ guard: given.guards.webhook }),
): { wake(): void; stop(): Promise<void> } {
  const deps = { ...given, batches: makeBatches(gathering) };
  /** By endpoint: its turn, and how it was when that began. */
  const serving = new Map<string, { turn: Promise<void>; endpoint: Waiting }>();
  const ending = new AbortController();
  const hands = makeHands();
  let stopping = false;
  let signalled: NodeJS.Timeout | undefined;

  const isFree = (most: number, isSame: (other: Waiting) => boolean): boolean =>
    [...serving.values()].filter(({ endpoint }) => isSame(endpoint)).length < most;
  const hasPlace = ({ account_id, kind, failing_since }: Waiting): boolean =>
    serving.size < mostServed &&
    (failing_since === null || isFree(mostFailingServed, (other) => other.failing_since !== null)) &&
    (kind !== 'CALLBACK' ||
      isFree(mostCallbacksServed, (other) => other.kind === kind && other.account_id === account_id));

  const untilMs = (moment: string): number => Date.parse(moment) - deps.clock.now().getTime();

  const finder = startLoop(
    deps.log,
    'webhooks',
    async () => {
      const next = await markDueAnyAccount(deps.db, deps.clock.now());
      let pauseMs = Math.min(longestPauseMs, next === undefined ? longestPauseMs : untilMs(next));
      for (const endpoint of await findWaitingAnyAccount(deps.db)) {
        const key = `${endpoint.account_id} ${endpoint.uuid}`;
        if (stopping || serving.has(key) || !hasPlace(endpoint)) continue;
        const waitMs = untilMs(endpoint.due_at);
        if (waitMs > 0) {
          pauseMs = Math.min(pauseMs, waitMs);
          continue;
        }
        // One batch, then it is read anew: its address, its secrets, and whether it is still enabled.
        const turn = serveEndpoint(deps, endpoint, { outbound, hands, ending: ending.signal })
          .catch((error) => deps.log.error({ err: error }, 'Delivery to a webhook failed'))
          .finally(() => {
            serving.delete(key);
            finder.wake();
          });
        serving.set(key, { turn, endpoint });
      }
      return pauseMs;
    },
    { share: lookingShare, watch: deps.listener.poll.watch(isWaitingText) },
  );

  const recover = async (): Promise<number> => {
    const inHand = hands.inHand();
    if ((await releaseAbandonedAnyAccount(deps.db, deps.listener.workerNumber, inHand)) > 0) finder.wake();
    return recoveryPauseMs;
  };
  const recovery = startLoop(deps.log, 'webhook recovery', recover, { watch: deps.listener.poll.watch(isClaimedText) });

  deps.listener.on(webhookTopic, () => {
    signalled ??= setTimeout(() => {
      signalled = undefined;
      finder.wake();
    }, signalPauseMs);
  });

  return {
    wake: finder.wake,
    async stop() {
      stopping = true;
      clearTimeout(signalled);
      const drained = setTimeout(() => ending.abort(), drainMs);
      await Promise.all([finder.stop(), recovery.stop()]);
      await Promise.all([...serving.values()].map(({ turn }) => turn));
      clearTimeout(drained);
      outbound.close();
    },
  };
}
