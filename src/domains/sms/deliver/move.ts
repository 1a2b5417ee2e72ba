import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { exactMs } from '../../../platform/time/clock.ts';
import { within } from '../../../platform/within.ts';
import { countTraffic, findAccountsWithNumbers } from '../../numbers/index.ts';
import { keyOf, type Move, type Postponement, talliesOf, tellFailures, weigh } from '../../outbox/index.ts';
import { addTallies, type TallyStep } from '../../tallies/index.ts';
import { appendEvents } from '../../timeline/index.ts';
import { announce, findListening } from '../../webhooks/index.ts';
import { type ConcerningSms, findConcerningAnyAccount } from '../queries.ts';
import { presentToWebhooks } from '../schemas.ts';
import { outbox } from './states.ts';

/**
 * The way an SMS changes its status, whoever reports it: moves are weighed against where each SMS stands, and states, events,
 * webhooks and counts are written together. The two steps that nearly every SMS takes have a faster way (`settle-queries.ts`).
 */
export const moveSms = (deps: Deps, moves: Move[]): Promise<void> =>
  within(deps, async (deps) => addTallies(deps.db, await stepSms(deps, moves)));

/**
 * The same as part of a longer transaction. Answers the counts that the caller adds at its end: two transactions that add the same
 * counts in different orders would wait for each other in a circle.
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

/** Puts SMS that this worker has claimed back into the queue, except those whose launch was cancelled meanwhile. */
export async function postpone(
  deps: Deps,
  accountId: string,
  postponements: Postponement[],
  claims: number[],
): Promise<TallyStep[]> {
  const claimed = { workerNumber: deps.listener.workerNumber, claims };
  return stepSms(deps, await outbox.putBack(deps.db, accountId, postponements, claimed));
}

/** A step that an SMS has taken. */
export interface Step {
  accountId: string;
  uuid: string;
  /** It has a callback address. */
  hasCallback: boolean;
  /** The step is that it left: it became SENT. */
  left: boolean;
}

/**
 * Queues webhooks for steps, and counts what left from the accounts' own numbers as their traffic. SMS that concern nobody are not
 * even read: most accounts that send much send from a name.
 */
export async function tellSteps(db: Db, deps: Deps, steps: Step[]): Promise<void> {
  if (steps.length === 0) return;
  const accounts = [...new Set(steps.map(({ accountId }) => accountId))];
  const having = await findAccountsWithNumbers(db, accounts);
  const listening = await findListening(db, deps, 'sms.status', accounts);
  const concerned = steps.filter(
    ({ accountId, hasCallback }) => hasCallback || having.has(accountId) || listening.has(accountId),
  );
  if (concerned.length === 0) return;
  const concerning = await findConcerningAnyAccount(db, concerned, listening);
  const left = new Set(concerned.filter((step) => step.left).map(({ uuid }) => uuid));
  await countLeft(
    db,
    deps,
    concerning.filter(({ uuid }) => left.has(uuid)),
  );
  await tellWebhooks(db, deps, concerning);
}

/** What left by the account's own numbers counts as their traffic. */
const countLeft = (db: Db, { clock }: Deps, left: ConcerningSms[]): Promise<void> =>
  countTraffic(
    db,
    left
      .filter(({ webhooks }) => webhooks !== null)
      .map(({ account_id, from_digits }) => ({
        accountId: account_id,
        digits: from_digits,
        kind: 'SMS_OUT',
        at: clock.now(),
      })),
  );

/** Whoever listens is told where each SMS stands now, as the API shows it. */
const tellWebhooks = (db: Db, deps: Deps, concerning: ConcerningSms[]): Promise<void> =>
  announce(
    db,
    deps,
    concerning.map((row) => ({
      accountId: row.account_id,
      type: 'sms.status',
      data: presentToWebhooks(row),
      numberWebhooks: row.webhooks ?? [],
      ...(row.callback_url !== null && { callbackUrl: row.callback_url }),
    })),
  );
