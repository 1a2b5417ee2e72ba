import type { Deps } from '../../../deps.ts';
import type { Outbound } from '../../../platform/outbound/client.ts';
import { within } from '../../../platform/within.ts';
import type { Hands } from '../../../platform/work/hands.ts';
import { untilStored } from '../../../platform/work/retry.ts';
import { allDone } from '../../../platform/work/split-on-failure.ts';
import { appendEvents } from '../../timeline/index.ts';
import { announce, subscriptionCache } from '../announce.ts';
import { disableEndpoint } from '../queries.ts';
import { presentEndpoint, subjectType } from '../schemas.ts';
import { attemptDelivery, goneStatus, longestFailingMs } from './attempt.ts';
import { endPending } from './delivery-queries.ts';
import { type Claimed, claimDue, type Outcome, release, storeOutcomes, type Waiting } from './queue.ts';

/** How many deliveries of one endpoint are taken at once, and how many of those are on their way together. */
const batchSize = 40;
const lanes = 4;

/** What ends with the process: new attempts at once, and those under way a little later. */
export interface Serving {
  outbound: Outbound;
  hands: Hands;
  ending: AbortSignal;
}

/** Sends a batch of what is due at one endpoint. The claim is committed before anything is sent. */
export async function serveEndpoint(deps: Deps, endpoint: Waiting, serving: Serving): Promise<void> {
  const { hands } = serving;
  const { workerNumber } = deps.listener;
  const claim = hands.take();
  const claimed = await claimDue(deps.db, endpoint, {
    workerNumber,
    claim,
    now: deps.clock.now(),
    most: endpoint.failing_since === null ? batchSize : 1,
  }).catch((error) => {
    hands.lose(claim);
    throw error;
  });
  try {
    await send(deps, endpoint, { claim, claimed }, serving);
  } catch (error) {
    hands.letGo(claim);
    throw error;
  }
  hands.settle(claim);
}

/**
 * No transaction is open meanwhile. After the first failure the rest is given back: a hanging endpoint holds few claims, and one
 * that fails is tried with one delivery at a time until it answers.
 */
async function send(
  deps: Deps,
  endpoint: Waiting,
  { claim, claimed }: { claim: number; claimed: Claimed[] },
  serving: Serving,
): Promise<void> {
  const { outbound, ending } = serving;
  const storeOutcome = (outcome: Outcome): Promise<void> => {
    let isAgain = false;
    return untilStored(deps.log, ending, () => {
      const storing = storeOne(deps, { outcome, isAgain });
      isAgain = true;
      return storing;
    });
  };
  const giveBack = (unsent: string[]): Promise<void> => {
    const { workerNumber } = deps.listener;
    const releasing = () => release(deps.db, endpoint.account_id, unsent, { workerNumber, claim });
    return untilStored(deps.log, ending, releasing);
  };
  const waiting = [...claimed];
  const storing: Promise<void>[] = [];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const outcome = ending.aborted ? undefined : await attemptDelivery(deps, outbound, endpoint, next, ending);
      if (outcome && !(ending.aborted && !outcome.succeeded))
        deps.observer.attempt({ ...outcome, event: eventOf(next) });
      if (outcome?.succeeded) {
        // The next one need not wait for this one's record.
        const stored = storeOutcome(outcome);
        stored.catch(() => {});
        storing.push(stored);
        continue;
      }
      const interrupted = ending.aborted || !outcome;
      const unsent = [...waiting.splice(0), ...(interrupted ? [next] : [])].map(({ uuid }) => uuid);
      if (unsent.length > 0) await giveBack(unsent);
      if (interrupted) return;
      await storeOutcome(outcome);
      await disableIfHopeless(deps, endpoint, outcome);
    }
  };
  await allDone(Array.from({ length: Math.min(lanes, claimed.length) }, lane));
  await allDone(storing);
}

const eventOf = ({ type, subject, attempts }: Claimed) => ({ type, subject, attempt: attempts + 1 });

/** Many are stored together. */
const storeOne = ({ db, batches }: Deps, one: { outcome: Outcome; isAgain: boolean }): Promise<void> =>
  batches.run('webhook-outcomes', one, async (all: (typeof one)[]): Promise<PromiseSettledResult<void>[]> => {
    await storeOutcomes(
      db,
      all.map(({ outcome }) => outcome),
      all.some(({ isAgain }) => isAgain),
    );
    return all.map(() => ({ status: 'fulfilled', value: undefined }));
  });

/** Why an endpoint is disabled after this outcome; undefined when it is not. */
function reasonOf({ failing_since }: Waiting, { statusCode, succeeded, at }: Outcome) {
  if (statusCode === goneStatus) return { reason: 'It answered 410 Gone.' };
  const failingSince = new Date(at.getTime() - longestFailingMs);
  if (succeeded || failing_since === null || Date.parse(failing_since) > failingSince.getTime()) return undefined;
  return { reason: 'All deliveries have failed for five days.', failingSince };
}

/** Disables an endpoint that is gone or has failed for days, gives up what waits for it, and tells the other endpoints. */
async function disableIfHopeless(deps: Deps, endpoint: Waiting, outcome: Outcome): Promise<void> {
  const reason = reasonOf(endpoint, outcome);
  if (!reason) return;
  await within(deps, async (deps) => {
    const { db } = deps;
    const disabled = await disableEndpoint(db, endpoint, reason);
    if (!disabled) return;
    const { account_id: accountId, uuid } = disabled;
    await endPending(db, accountId, uuid, { status: 'FAILED', error: 'The webhook was disabled.' });
    const data = { reason: reason.reason };
    await appendEvents(db, [{ accountId, subjectType, subject: uuid, kind: 'webhook.disabled', data }]);
    await announce(db, deps, [{ accountId, type: 'webhook.disabled', data: presentEndpoint(disabled) }]);
  });
  deps.caches.forget(subscriptionCache);
}
