import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '../../platform/db/pool.ts';
import { countTraffic } from '../numbers/index.ts';
import { appendEvents, type NewEvent } from '../timeline/index.ts';
import { announce } from '../webhooks/index.ts';
import {
  type ConcerningSms,
  findConcerningAnyAccount,
  lockStates,
  type StatusChange,
  updateStates,
} from './queries.ts';
import { presentSms } from './schemas.ts';
import { canMove, type OutboundStatus } from './states.ts';

/** A step that an SMS is said to have taken, and what is known of it. */
export interface Move extends StatusChange {
  data?: Record<string, unknown>;
}

/**
 * The one way an SMS changes its state, whoever reports it, in any order and however often. Every report becomes an event;
 * only those that lead forward change the SMS.
 */
export const moveSms = (deps: Deps, moves: Move[]): Promise<void> =>
  inTransaction(deps.db, async (db) => {
    if (moves.length === 0) return;
    const statuses = new Map<string, OutboundStatus>();
    for (const { account_id, uuid, status } of await lockStates(db, moves)) statuses.set(account_id + uuid, status);
    const changes = new Map<string, StatusChange>();
    const left = new Set<string>();
    const events: NewEvent[] = [];
    for (const move of moves) {
      const { accountId, uuid, status, description, data } = move;
      const key = accountId + uuid;
      const before = statuses.get(key);
      if (before === undefined) continue;
      const applied = canMove(before, status);
      if (applied) {
        statuses.set(key, status);
        changes.set(key, move);
        if (before === 'QUEUED' && (status === 'SENT' || status === 'DELIVERED')) left.add(uuid);
      }
      events.push({
        accountId,
        subjectType: 'sms',
        subject: uuid,
        kind: `sms.${status.toLowerCase()}`,
        data: { status, status_description: description, applied, ...data },
      });
    }
    await appendEvents(db, events);
    if (changes.size === 0) return;
    await updateStates(db, [...changes.values()]);
    const concerning = await findConcerningAnyAccount(db, [...changes.values()]);
    await countLeft(
      db,
      deps,
      concerning.filter(({ uuid }) => left.has(uuid)),
    );
    await tellWebhooks(db, deps, concerning);
  });

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
      data: presentSms(row),
      numberWebhooks: row.webhooks ?? [],
      ...(row.callback_url !== null && { callbackUrl: row.callback_url }),
    })),
  );

/** Words a person can act on, with the carrier's code. */
export const describe = ({ code, description }: { code?: string; description?: string }): string =>
  code ? `${description ?? 'The carrier refused it.'} (code ${code})` : (description ?? '');
