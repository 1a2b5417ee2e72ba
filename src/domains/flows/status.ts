import { flowCategories, flowStatuses } from './schemas.ts';

/**
 * A flow's life: DRAFT → PUBLISHED → DEPRECATED, where it ends. The platform itself may hold a published one back
 * (THROTTLED, BLOCKED), and makes a draft of one that is edited over there.
 */
const ranks: Record<string, number> = { DRAFT: 0, PUBLISHED: 1, THROTTLED: 1, BLOCKED: 1, DEPRECATED: 2 };

export const isFlowStatus = (status: string): boolean => (flowStatuses as readonly string[]).includes(status);

/** Whether a flow that stands here has yet to go there. */
export const isBefore = (status: string, wanted: string): boolean => ranks[status]! < ranks[wanted]!;

/** Whether a request may ask for it: one step at a time. */
export const canMove = (from: string, to: string): boolean => ranks[to]! - ranks[from]! === 1;

/** The first that we know; the platform has had others. */
export const categoryOf = (categories: string[]): string =>
  flowCategories.find((category) => category === categories[0]) ?? 'OTHER';
