import type { Deps } from '../../../deps.ts';
import { exactMs } from '../../../platform/time/clock.ts';
import { within } from '../../../platform/within.ts';
import { keyOf, type Move, type Postponement, talliesOf, tellFailures, weigh } from '../../outbox/index.ts';
import { addTallies, type TallyStep } from '../../tallies/index.ts';
import { appendEvents } from '../../timeline/index.ts';
import { outbox } from './states.ts';
import { tellSteps } from './tell.ts';

/**
 * The way an SMS changes its status, whoever reports it: moves are weighed against where each SMS stands, and states, events,
 * webhooks and counts are written together. The two steps that nearly every SMS takes have a faster way (`settle-queries.ts`).
 */
export const moveSms = (deps: Deps, moves: Move[]): Promise<void> =>
  within(deps, async (deps) => addTallies(deps.db, await stepSms(deps, moves)));

/**
 * The same in a transaction that has more to do; answers what is to be counted at its end: two that count the same in one
 * transaction and in any order would wait for each other in a circle.
 */
export async function stepSms(deps: Deps, moves: Move[]): Promise<TallyStep[]> {
  const { db } = deps;
  const sinceMs = exactMs();
  if (moves.length === 0) return [];
  const standings = await outbox.lockStates(db, moves);
  const locked = new Map(standings.map((standing) => [keyOf(standing.account_id, standing.uuid), standing]));
  const { changes, events } = weigh(outbox.subject, locked, moves);
  await appendEvents(db, events);
  if (changes.size === 0) return [];
  await outbox.updateStates(db, [...changes.values()]);
  const steps = [...changes].map(([key, { accountId, uuid, status }]) => {
    const before = locked.get(key)!;
    const left = before.status === 'QUEUED' && (status === 'SENT' || status === 'DELIVERED');
    return { accountId, uuid, left, hasCallback: before.has_callback };
  });
  await tellSteps(db, deps, steps);
  await tellFailures(deps, locked, changes);
  deps.observer.steps('sms', [...changes.values()], sinceMs);
  return talliesOf(locked, changes);
}

/** Puts SMS of this worker's claims back into the queue, but for those whose launch was cancelled meanwhile. */
export async function postpone(
  deps: Deps,
  accountId: string,
  postponements: Postponement[],
  claims: number[],
): Promise<TallyStep[]> {
  const claimed = { workerNumber: deps.listener.workerNumber, claims };
  return stepSms(deps, await outbox.putBack(deps.db, accountId, postponements, claimed));
}
