import type { Deps } from '../../../deps.ts';
import { within } from '../../../platform/within.ts';
import { appendEvents } from '../../timeline/index.ts';
import { announce, subscriptionCache } from '../announce.ts';
import { disableEndpoint } from '../queries.ts';
import { presentEndpoint, subjectType } from '../schemas.ts';
import { goneStatus } from './attempt.ts';
import { endPending } from './delivery-queries.ts';
import type { Outcome, Waiting } from './queue.ts';
import { longestFailingMs } from './schedule.ts';

/** Why an endpoint is disabled after this outcome; undefined when it is not. */
function reasonOf({ failing_since }: Waiting, { statusCode, succeeded, at }: Outcome) {
  if (statusCode === goneStatus) return { reason: 'It answered 410 Gone.' };
  const failingSince = new Date(at.getTime() - longestFailingMs);
  if (succeeded || failing_since === null || Date.parse(failing_since) > failingSince.getTime()) return undefined;
  return { reason: 'All deliveries have failed for five days.', failingSince };
}

/** Disables an endpoint that is gone or has failed for days, gives up what waits for it, and tells the other endpoints. */
export async function disableIfHopeless(deps: Deps, endpoint: Waiting, outcome: Outcome): Promise<void> {
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
