/**
 * The life of a session. It moves forward only; what it has skipped stays skipped.
 *
 *   STARTED ──▶ REPLIED ──▶ NOTIFIED ──▶ CONNECTED
 *      ╰──────────┴───────────┴──▶ EXPIRED (seven quiet days)
 *
 * A session that is CONNECTED closes after seven quiet days too, and keeps its status.
 */
export type SessionStatus = 'STARTED' | 'REPLIED' | 'NOTIFIED' | 'CONNECTED' | 'EXPIRED';

const order: readonly SessionStatus[] = ['STARTED', 'REPLIED', 'NOTIFIED', 'CONNECTED'];

/** Where a session stands after a step. */
export const furthest = (one: SessionStatus, other: SessionStatus): SessionStatus =>
  order.indexOf(other) > order.indexOf(one) ? other : one;

export const quietMs = 7 * 86_400_000;
