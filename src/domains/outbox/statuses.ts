/**
 * The life of what is sent, a message or an SMS. It only moves forward; what comes late or twice is logged and changes nothing.
 *
 *   QUEUED ──▶ SENT ──▶ DELIVERED ──▶ READ
 *      │  ╲      │
 *      │   ╲     ▼
 *      │    ╲─▶ FAILED        QUEUED ──▶ CANCELLED
 *
 * A receipt may overtake others (READ straight after QUEUED). FAILED cannot follow DELIVERED: it arrived. An SMS is never READ; it
 * is SENT when the other side took all its parts, and DELIVERED when all were.
 */
export type OutboundStatus = 'QUEUED' | 'SENT' | 'DELIVERED' | 'READ' | 'FAILED' | 'CANCELLED';

const next: Record<OutboundStatus, readonly OutboundStatus[]> = {
  QUEUED: ['SENT', 'DELIVERED', 'READ', 'FAILED', 'CANCELLED'],
  SENT: ['DELIVERED', 'READ', 'FAILED'],
  DELIVERED: ['READ'],
  READ: [],
  FAILED: [],
  CANCELLED: [],
};

export const hasArrived = (status: OutboundStatus): boolean => status === 'DELIVERED' || status === 'READ';

export const canMove = (from: OutboundStatus, to: OutboundStatus): boolean => next[from].includes(to);

/** Whether a message can still be taken back: it is not being handed over, and cannot have been taken already. */
export const isWaiting = (state: { status: string; claimed_by: number | null; due_at: string }): boolean =>
  state.status === 'QUEUED' && state.claimed_by === null && state.due_at !== 'infinity';

/**
 * The priorities of what is queued. Only `own` (sent by itself) and `campaign` leave, in this order. `paused` belongs to a launch
 * that is paused. `withdrawn` was being handed over when its launch was cancelled, or when its sender left the carrier: it must not
 * leave again.
 */
export const priorities = { own: 0, campaign: 1, paused: 2, withdrawn: 3 } as const;

/**
 * SQL text of the condition that a row still waits. Older partitions have nothing that waits and are skipped: nothing may be
 * scheduled further ahead, or tried for longer.
 */
const oldestText = `uuid_floor(now() - interval '100 days')`;
export const recentText = `uuid >= ${oldestText}`;
export const queuedText = `status = 'QUEUED' and ${recentText}`;
export const waitingText = `${queuedText} and claimed_by is null`;
/** The same condition for rows that a statement calls `alias`. */
export const waitingOf = (alias: string): string =>
  `${alias}.status = 'QUEUED' and ${alias}.uuid >= ${oldestText} and ${alias}.claimed_by is null`;
/** What may leave once its moment has come, and what is skipped until then (see `ready.ts`). */
export const readyText = `${waitingText} and ready`;
export const laterText = `${waitingText} and not ready`;
/** SQL text of the priorities that leave, in their order. */
export const leavingText = `(values (${priorities.own}), (${priorities.campaign})) as priorities (priority)`;
