import type { Deps } from '../../deps.ts';
import { within } from '../../platform/within.ts';
import { addTallies, type TallyStep } from '../tallies/index.ts';
import { appendEvents, type NewEvent } from '../timeline/index.ts';
import { type LockedState, lockStates, type StatusChange, updateStates } from './queries.ts';
import { canMove, type OutboundStatus } from './states.ts';
import { tellSteps } from './tell.ts';

/** A step that an SMS is said to have taken, and what is known of it. */
export interface Move extends StatusChange {
  data?: Record<string, unknown>;
  /** As what the launch of a campaign counts it; as its status, if nothing is said. */
  countsAs?: 'opted_out';
}

/**
 * The one way an SMS changes its state, whoever reports it, in any order and however often. Every report becomes an event;
 * only those that lead forward change the SMS. What is the rule, a claimed one that was taken and a receipt for one of a
 * single part, has a statement of its own that does the same (`settle-queries.ts`).
 */
export const moveSms = (deps: Deps, moves: Move[]): Promise<void> =>
  within(deps, async (deps) => addTallies(deps.db, await stepSms(deps, moves)));

/**
 * The same in a transaction that has more to do; answers what is to be counted at its end: two that count the same in one
 * transaction and in any order would wait for each other in a circle.
 */
export async function stepSms(deps: Deps, moves: Move[]): Promise<TallyStep[]> {
  const { db } = deps;
  if (moves.length === 0) return [];
  const states = new Map<string, LockedState>();
  for (const state of await lockStates(db, moves)) states.set(state.account_id + state.uuid, state);
  const statuses = new Map<string, OutboundStatus>([...states].map(([key, { status }]) => [key, status]));
  const changes = new Map<string, Move>();
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
  if (changes.size === 0) return [];
  await updateStates(db, [...changes.values()]);
  const changed = [...changes].map(([key, move]) => ({ move, before: states.get(key)! }));
  const steps = changed.map(({ move: { accountId, uuid, status }, before }) => {
    const left = before.status === 'QUEUED' && (status === 'SENT' || status === 'DELIVERED');
    return { accountId, uuid, left, hasCallback: before.has_callback };
  });
  await tellSteps(db, deps, steps);
  return changed.flatMap(({ move, before }) => tally(before.campaign_log, before.status, move));
}

/** Each message of a launch counts once: as what it is now, and no longer as what it was. */
export function tally(
  campaignLog: string | null,
  before: OutboundStatus,
  { accountId, status, countsAs }: Pick<Move, 'accountId' | 'status' | 'countsAs'>,
): TallyStep[] {
  if (campaignLog === null) return [];
  const of = (name: string, count: number): TallyStep => ({ accountId, subject: campaignLog, name, count });
  return [of(before.toLowerCase(), -1), of(countsAs ?? status.toLowerCase(), 1)];
}

/** Words a person can act on, with the carrier's code. */
export const describe = ({ code, description }: { code?: string; description?: string }): string =>
  code ? `${description ?? 'The carrier refused it.'} (code ${code})` : (description ?? '');
