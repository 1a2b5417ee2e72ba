import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/pool.ts';
import { within } from '../../platform/within.ts';
import { addTallies, type TallyStep } from '../tallies/index.ts';
import { appendEvents, type NewEvent } from '../timeline/index.ts';
import { announce, findListening } from '../webhooks/index.ts';
import {
  addCarrierIds,
  findMessagesAnyAccount,
  lockStatuses,
  type Standing,
  type StatusChange,
  updateStatuses,
} from './queries.ts';
import { presentMessage } from './schemas.ts';
import { canMove, hasArrived, type OutboundStatus } from './states.ts';

/** A step that a message is said to have taken, and what is known of it. */
export interface Move extends StatusChange {
  data?: Record<string, unknown>;
  /** Who says so, where that matters: a receipt may be faster than our own note of the hand-over. */
  source?: 'hand_over' | 'receipt';
  /** What its launch counts it as, if that is not its status: it failed because the person opted out. */
  countsAs?: 'opted_out';
}

/**
 * The one way a message changes its state, whoever reports it, in any order and however often. Every report becomes an
 * event; only those that lead forward change the message. A receipt of one that is still being handed over says that it left,
 * too; that one which has arrived did so is no news when its hand-over ends.
 */
export const moveMessages = (deps: Deps, moves: Move[]): Promise<void> =>
  within(deps, async (deps) => {
    const { db } = deps;
    if (moves.length === 0) return;
    const locked = new Map<string, Standing>();
    const callbacks = new Map<string, string>();
    for (const standing of await lockStatuses(db, moves)) {
      const key = keyOf(standing.account_id, standing.uuid);
      locked.set(key, standing);
      if (standing.callback_url !== null) callbacks.set(key, standing.callback_url);
    }

    const changes = new Map<string, Move>();
    const steps: StatusChange[] = [];
    const late: StatusChange[] = [];
    const events: NewEvent[] = [];
    const statusOf = ({ accountId, uuid }: Move): OutboundStatus | undefined => {
      const key = keyOf(accountId, uuid);
      return (changes.get(key) ?? locked.get(key))?.status;
    };
    const take = (move: Move): void => {
      const { accountId, uuid, status, description, carrierMessageId, data, source } = move;
      const before = statusOf(move);
      if (before === undefined) return;
      const key = keyOf(accountId, uuid);
      const applied = canMove(before, status);
      if (applied) {
        steps.push(move);
        // The id that an earlier report of this batch brought is kept.
        changes.set(key, { ...move, carrierMessageId: carrierMessageId ?? changes.get(key)?.carrierMessageId });
      }
      if (!applied && carrierMessageId !== undefined) late.push(move);
      if (!applied && source === 'hand_over' && hasArrived(before)) return;
      events.push({
        accountId,
        subjectType: 'message',
        subject: uuid,
        kind: `message.${status.toLowerCase()}`,
        data: { status, status_description: description, applied, ...data },
      });
    };
    for (const move of moves) {
      const { accountId, uuid, status, source } = move;
      const isFaster = source === 'receipt' && status !== 'SENT' && statusOf(move) === 'QUEUED';
      if (isFaster) take({ accountId, uuid, status: 'SENT', description: '' });
      take(move);
    }
    if (changes.size > 0) await updateStatuses(db, [...changes.values()]);
    // A receipt may overtake the answer that brings the id; the id is worth having all the same.
    if (late.length > 0) await addCarrierIds(db, late);
    await appendEvents(db, events);
    await tellWebhooks(db, deps, steps, callbacks);
    await tallyLaunches(db, locked, changes);
  });

/** The launches that messages belong to count where they stand. Last, because the counts stay locked. */
async function tallyLaunches(db: Db, before: ReadonlyMap<string, Standing>, changes: ReadonlyMap<string, Move>) {
  const steps: TallyStep[] = [];
  for (const [key, { accountId, status, countsAs = status.toLowerCase() }] of changes) {
    const { campaign_log: subject, status: left } = before.get(key)!;
    if (subject === null) continue;
    steps.push({ accountId, subject, name: left.toLowerCase(), count: -1 });
    steps.push({ accountId, subject, name: countsAs, count: 1 });
  }
  await addTallies(db, steps);
}

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
