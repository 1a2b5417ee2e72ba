import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../../deps.ts';
import type { Outbound } from '../../platform/outbound/client.ts';
import { attemptDelivery } from './attempt.ts';
import { disableIfHopeless } from './disable.ts';
import { claimDue, type Outcome, release, storeOutcomes, type Waiting } from './queue.ts';

/** How many deliveries of one endpoint are taken at once, and how many of those are on their way together. */
const batchSize = 40;
const lanes = 4;
const mostStoreTries = 60;
const storePauseMs = 1000;

/**
 * Sends a batch of what is due at one endpoint. The claim is committed before anything is sent, and no transaction is open
 * meanwhile. After the first failure the rest is given back: a hanging endpoint holds few claims, and one that fails is tried
 * with one delivery at a time until it answers.
 */
export async function serveEndpoint(
  deps: Deps,
  outbound: Outbound,
  endpoint: Waiting,
  signal: AbortSignal,
): Promise<void> {
  const claimed = await claimDue(deps.db, endpoint, {
    workerNumber: deps.listener.workerNumber,
    now: deps.clock.now(),
    most: endpoint.failing_since === null ? batchSize : 1,
  });
  const waiting = [...claimed];
  const storing: Promise<void>[] = [];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const outcome = signal.aborted ? undefined : await attemptDelivery(deps, outbound, endpoint, next, signal);
      if (outcome?.succeeded) {
        // The next one need not wait for this one's record.
        storing.push(untilStored(deps, outcome));
        continue;
      }
      const interrupted = signal.aborted || !outcome;
      const unsent = [...waiting.splice(0), ...(interrupted ? [next] : [])].map(({ uuid }) => uuid);
      if (unsent.length > 0) await release(deps.db, endpoint.account_id, unsent);
      if (interrupted) return;
      await untilStored(deps, outcome);
      await disableIfHopeless(deps, endpoint, outcome);
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, claimed.length) }, lane));
  await Promise.all(storing);
}

/** It was sent: how that ended must not get lost because the database is away for a moment. Many are stored together. */
async function untilStored({ db, batches, log }: Deps, outcome: Outcome): Promise<void> {
  const store = async (outcomes: Outcome[]): Promise<PromiseSettledResult<void>[]> => {
    await storeOutcomes(db, outcomes);
    return outcomes.map(() => ({ status: 'fulfilled', value: undefined }));
  };
  for (let tries = 1; ; tries++) {
    try {
      return await batches.run('webhook-outcomes', outcome, store);
    } catch (error) {
      // Given up, it stays claimed for a quarter of an hour and is then sent again.
      if (tries === mostStoreTries) return log.error({ err: error }, 'The outcome of a webhook could not be stored');
      log.warn({ error: (error as Error).message }, 'The outcome of a webhook could not be stored yet');
      await sleep(storePauseMs);
    }
  }
}
