/**
 * The life of an outbound SMS. It only moves forward; what comes late or twice is logged and changes nothing.
 *
 *   QUEUED ──▶ SENT ──▶ DELIVERED
 *      │  ╲      │
 *      │   ╲     ▼
 *      │    ╲─▶ FAILED        QUEUED ──▶ CANCELLED
 *
 * SENT: the other side took all parts. DELIVERED: all parts were. FAILED: one part was refused for good, or all was given up.
 */
export type OutboundStatus = 'QUEUED' | 'SENT' | 'DELIVERED' | 'FAILED' | 'CANCELLED';

const next: Record<OutboundStatus, readonly OutboundStatus[]> = {
  QUEUED: ['SENT', 'DELIVERED', 'FAILED', 'CANCELLED'],
  SENT: ['DELIVERED', 'FAILED'],
  DELIVERED: [],
  FAILED: [],
  CANCELLED: [],
};

export const canMove = (from: OutboundStatus, to: OutboundStatus): boolean => next[from].includes(to);
