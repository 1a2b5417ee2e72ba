import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { exactMs } from '../../../platform/time/clock.ts';
import { within } from '../../../platform/within.ts';
import { keyOf, type Move, type StatusChange, talliesOf, tellFailures, weigh } from '../../outbox/index.ts';
import { addTallies } from '../../tallies/index.ts';
import { appendEvents } from '../../timeline/index.ts';
import { announce, findListening } from '../../webhooks/index.ts';
import { addCarrierIds, findMessagesAnyAccount } from '../queries.ts';
import { presentToWebhooks } from '../schemas.ts';
import { type LockedMessage, outbox } from './outbox.ts';

/**
 * The one way a message changes its state, whoever reports it: moves are weighed against where each message stands, and states,
 * events, webhooks and counts are written together.
 */
export const moveMessages = (deps: Deps, moves: Move[]): Promise<void> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const sinceMs = exactMs();
    if (moves.length === 0) return;
    const standings = await outbox.lockStates(db, moves);
    const locked = new Map(standings.map((standing) => [keyOf(standing.account_id, standing.uuid), standing]));
    const { changes, steps, late, events } = weigh(outbox.subject, locked, moves);
    if (changes.size > 0) await outbox.updateStates(db, [...changes.values()]);
    // A receipt may overtake the answer that brings the id; the id is worth having all the same.
    if (late.length > 0) await addCarrierIds(db, late);
    await appendEvents(db, events);
    await tellWebhooks(db, deps, steps, locked);
    await tellFailures(deps, locked, changes);
    // Last, because the counts stay locked.
    await addTallies(db, talliesOf(locked, changes));
    deps.observer.steps('message', steps, sinceMs);
  });

const statusEvent = 'chatapp.message.status';

/** Whoever listens is told of each step, with the message as the API shows it after that step. */
async function tellWebhooks(
  db: Db,
  deps: Deps,
  steps: StatusChange[],
  locked: ReadonlyMap<string, LockedMessage>,
): Promise<void> {
  const accounts = [...new Set(steps.map(({ accountId }) => accountId))];
  const listening = await findListening(db, deps, statusEvent, accounts);
  const callbackOf = ({ accountId, uuid }: StatusChange) => locked.get(keyOf(accountId, uuid))?.callback_url ?? null;
  const heard = steps.filter((step) => listening.has(step.accountId) || callbackOf(step) !== null);
  if (heard.length === 0) return;
  const rows = new Map(
    (await findMessagesAnyAccount(db, heard)).map((row) => [keyOf(row.account_id, row.uuid), presentToWebhooks(row)]),
  );
  await announce(
    db,
    deps,
    heard.map((step) => {
      const { accountId, uuid, status, description } = step;
      const callbackUrl = callbackOf(step);
      const data = { ...rows.get(keyOf(accountId, uuid))!, status, status_description: description };
      return { accountId, type: statusEvent, data, ...(callbackUrl !== null && { callbackUrl }) };
    }),
  );
}
