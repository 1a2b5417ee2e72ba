import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '../../platform/db/pool.ts';
import { appendEvents, type NewEvent } from '../timeline/index.ts';
import { announce, findListening } from '../webhooks/index.ts';
import { findMessagesAnyAccount, lockStatuses, type StatusChange, updateStatuses } from './queries.ts';
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
    const statuses = new Map<string, OutboundStatus>();
    for (const row of await lockStatuses(db, moves)) statuses.set(keyOf(row.account_id, row.uuid), row.status);

    const changes = new Map<string, StatusChange>();
    const events: NewEvent[] = [];
    for (const move of moves) {
      const { accountId, uuid, status, description, carrierMessageId, data } = move;
      const key = keyOf(accountId, uuid);
      const before = statuses.get(key);
      if (before === undefined) continue;
      const applied = canMove(before, status);
      if (applied) {
        statuses.set(key, status);
        // The id that an earlier report of this batch brought is kept.
        changes.set(key, { ...move, carrierMessageId: carrierMessageId ?? changes.get(key)?.carrierMessageId });
      }
      events.push({
        accountId,
        subjectType: 'message',
        subject: uuid,
        kind: `message.${status.toLowerCase()}`,
        data: { status, status_description: description, applied, ...data },
      });
    }
    if (changes.size > 0) await updateStatuses(db, [...changes.values()]);
    await appendEvents(db, events);
    await tellWebhooks(db, deps, [...changes.values()]);
  });

const statusEvent = 'chatapp.message.status';

/** Whoever listens is told where each message stands now, with the message as the API shows it. */
async function tellWebhooks(db: Db, deps: Deps, changes: StatusChange[]): Promise<void> {
  const accounts = [...new Set(changes.map(({ accountId }) => accountId))];
  const listening = await findListening(db, deps, statusEvent, accounts);
  if (listening.size === 0) return;
  const told = await findMessagesAnyAccount(
    db,
    changes.filter(({ accountId }) => listening.has(accountId)),
  );
  await announce(
    db,
    deps,
    told.map((row) => ({ accountId: row.account_id, type: statusEvent, data: presentMessage(row) })),
  );
}

const keyOf = (accountId: string, uuid: string): string => `${accountId} ${uuid}`;
