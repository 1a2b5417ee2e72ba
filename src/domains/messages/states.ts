/**
 * The life of an outbound message. It only moves forward; what comes late or twice is logged and changes nothing.
 *
 *   QUEUED ──▶ SENT ──▶ DELIVERED ──▶ READ
 *      │  ╲      │
 *      │   ╲     ▼
 *      │    ╲─▶ FAILED        QUEUED ──▶ CANCELLED
 *
 * A receipt may overtake others (READ straight after QUEUED). FAILED cannot follow DELIVERED: it arrived.
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

/**
 * Where a queued message stands in its sender's queue. Only what is sent for itself and what a campaign sends leaves, in this
 * order; the others are of a launch that is held back, or were being handed over when their launch was cancelled.
 */
export const priorities = { own: 0, campaign: 1, held: 2, withdrawn: 3 } as const;
