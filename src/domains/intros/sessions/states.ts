/**
 * The life of a session. It moves forward only; what it has skipped stays skipped.
 *
 *   STARTED ──▶ REPLIED ──▶ NOTIFIED ◀──▶ NOTIFY_FAILED
 *      │           │            ╰──────┬──────╯
 *      │           │                   ├──▶ CONNECTED
 *      ╰───────────┴───────────────────┴──▶ EXPIRED (seven quiet days), CLOSED (by a call or a button)
 *
 * A notification that fails takes NOTIFIED back, and the next one that leaves brings it again. A session that is CONNECTED
 * expires and is closed too, and keeps its status.
 */
export type SessionStatus = 'STARTED' | 'REPLIED' | 'NOTIFY_FAILED' | 'NOTIFIED' | 'CONNECTED' | 'EXPIRED' | 'CLOSED';

export const sessionStatuses: readonly SessionStatus[] = [
  'STARTED',
  'REPLIED',
  'NOTIFIED',
  'NOTIFY_FAILED',
  'CONNECTED',
  'EXPIRED',
  'CLOSED',
];

const order: readonly SessionStatus[] = ['STARTED', 'REPLIED', 'NOTIFY_FAILED', 'NOTIFIED', 'CONNECTED'];

/** Where a session stands after a step. */
export const furthest = (one: SessionStatus, other: SessionStatus): SessionStatus =>
  order.indexOf(other) > order.indexOf(one) ? other : one;

/** Where it stands after a notification failed: whoever is in contact already is not concerned. */
export const afterFailure = (status: SessionStatus): SessionStatus =>
  status === 'STARTED' || status === 'REPLIED' || status === 'NOTIFIED' ? 'NOTIFY_FAILED' : status;

export const quietMs = 7 * 86_400_000;
