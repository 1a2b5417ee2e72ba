import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '../../platform/db/pool.ts';
import { appendEvents, type NewEvent } from '../timeline/index.ts';
import { announce, findListening } from '../webhooks/index.ts';
import { addCarrierIds, findMessagesAnyAccount, lockStatuses, type StatusChange, updateStatuses } from './queries.ts';
import { presentMessage } from './schemas.ts';
import { canMove, type OutboundStatus } from './states.ts';

/** A step that a message is said to have taken, and what is known of it. */
export interface Move extends StatusChange {
  data?: Record<string, unknown>;
}

/**
 * The one way a message changes its state, whoever reports it, in any order and however often. Every report becomes an
 * event; only those that lead forward change the message.
 */
export const moveMessages = (deps: Deps, moves: Move[]): Promise<void> =>
  inTransaction(deps.db, async (db) => {
    if (moves.length === 0) return;
    const statuses = new Map<string, OutboundStatus>();
    const callbacks = new Map<string, string>();
    for (const { account_id, uuid, status, callback_url } of await lockStatuses(db, moves)) {
      statuses.set(keyOf(account_id, uuid), status);
      if (callback_url !== null) callbacks.set(keyOf(account_id, uuid), callback_url);
    }

    const changes = new Map<string, StatusChange>();
    const steps: StatusChange[] = [];
    const late: StatusChange[] = [];
    const events: NewEvent[] = [];
    for (const move of moves) {
      const { accountId, uuid, status, description, carrierMessageId, data } = move;
      const key = keyOf(accountId, uuid);
      const before = statuses.get(key);
      if (before === undefined) continue;
      const applied = canMove(before, status);
      if (applied) {
        statuses.set(key, status);
        steps.push(move);
        // The id that an earlier report of this batch brought is kept.
        changes.set(key, { ...move, carrierMessageId: carrierMessageId ?? changes.get(key)?.carrierMessageId });
      }
      if (!applied && carrierMessageId !== undefined) late.push(move);
      events.push({
        accountId,
        subjectType: 'message',
        subject: uuid,
        kind: `message.${status.toLowerCase()}`,
        data: { status, status_description: description, applied, ...data },
      });
    }
    if (changes.size > 0) await updateStatuses(db, [...changes.values()]);
    // A receipt may overtake the answer that brings the id; the id is worth having all the same.
    if (late.length > 0) await addCarrierIds(db, late);
    await appendEvents(db, events);
    await tellWebhooks(db, deps, steps, callbacks);
  });

const statusEvent = 'chatapp.message.status';

/** Whoever listens is told of each step, with the message as the API shows it after that step. */
async function tellWebhooks(
  db: Db,
  deps: Deps,
  steps: StatusChange[],
  callbacks: ReadonlyMap<string, string>,
): Promise<void> {
  const accounts = [...new Set(steps.map(({ accountId }) => accountId))];
  const listening = await findListening(db, deps, statusEvent, accounts);
  const heard = steps.filter(
    ({ accountId, uuid }) => listening.has(accountId) || callbacks.has(keyOf(accountId, uuid)),
  );
  if (heard.length === 0) return;
  const rows = new Map(
    (await findMessagesAnyAccount(db, heard)).map((row) => [keyOf(row.account_id, row.uuid), presentMessage(row)]),
  );
  await announce(
    db,
    deps,
    heard.map(({ accountId, uuid, status, description }) => {
      const key = keyOf(accountId, uuid);
      const callbackUrl = callbacks.get(key);
      const data = { ...rows.get(key)!, status, status_description: description };
      return { accountId, type: statusEvent, data, ...(callbackUrl !== undefined && { callbackUrl }) };
    }),
  );
}

const keyOf = (accountId: string, uuid: string): string => `${accountId} ${uuid}`;
