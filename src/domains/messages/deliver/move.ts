import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { exactMs } from '../../../platform/time/clock.ts';
import { within } from '../../../platform/within.ts';
import {
  type Abandoned,
  endedColumns,
  keyOf,
  type Move,
  makeOutbox,
  type Postponement,
  type Standing,
  type StatusChange,
  talliesOf,
  tellFailures,
  weigh,
} from '../../outbox/index.ts';
import { addTallies } from '../../tallies/index.ts';
import { appendEvents } from '../../timeline/index.ts';
import { announce, findListening } from '../../webhooks/index.ts';
import { addCarrierIds, findMessagesAnyAccount } from '../queries.ts';
import { presentToWebhooks } from '../schemas.ts';
import type { Sender } from './queue.ts';

/** The outbox of chats: a message waits in the queue of its sender. */
export const outbox = makeOutbox<LockedMessage, AbandonedMessage>({
  name: 'messages',
  states: 'message_states',
  accepted: 'messages',
  standings: 'message_states',
  subject: 'message',
  topic: 'messages',
  locked: 'callback_url',
  carrierId: 'carrier_message_id',
  owner: 'chatapp_account',
  recovered: {
    columns: 'sender.carrier',
    joins: `join chatapp_accounts as sender on sender.account_id = state.account_id and sender.uuid = state.chatapp_account`,
  },
  // Looks into the index once for each status, and so reads nothing that still waits.
  lastEnded: `select newest.* from (values ('SENT'), ('DELIVERED'), ('READ'), ('FAILED'), ('CANCELLED')) as ended (status)
    cross join lateral (
      select ${endedColumns} from message_states
      where account_id = $1 and campaign_log = $2 and status = ended.status and uuid > $3
      order by uuid desc limit $4) as newest
    order by newest.uuid desc limit $4`,
  cancelledWithLaunch: 'Its campaign was cancelled.',
});

export interface LockedMessage extends Standing {
  callback_url: string | null;
}

export interface AbandonedMessage extends Abandoned {
  chatapp_account: string;
  carrier: string;
}

export const { pauseLaunch, resumeLaunch, lastEnded, markAccount } = outbox;

/** Proof that no message is lost: see `outbox/outbox.ts`. */
export const readLedger = (db: Db, accountId: string) =>
  outbox.readLedger(db, accountId, ['delivered', 'read', 'failed', 'cancelled']);

/**
 * The one way a message changes its state, whoever reports the change. Moves are compared with where each message stands; states,
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
    // A receipt may overtake the answer that brings the id, which is stored all the same.
    if (late.length > 0) await addCarrierIds(db, late);
    await appendEvents(db, events);
    await tellWebhooks(db, deps, steps, locked);
    await tellFailures(deps, locked, changes);
    // Last, because the counts stay locked.
    await addTallies(db, talliesOf(locked, changes));
    deps.observer.steps('message', steps, sinceMs);
  });

const statusEvent = 'chatapp.message.status';

/** Queues a webhook for each step, with the message as the API shows it after that step. */
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

/** Puts messages that this worker has claimed back into the queue, except those whose launch was cancelled meanwhile. */
export const postpone = (deps: Deps, sender: Sender, postponements: Postponement[], claims: number[]): Promise<void> =>
  within(deps, async (deps) => {
    const claimed = { workerNumber: deps.listener.workerNumber, claims };
    await moveMessages(deps, await outbox.putBack(deps.db, sender.account_id, postponements, claimed));
  });
