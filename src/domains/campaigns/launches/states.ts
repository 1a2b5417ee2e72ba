/**
 * The life of a launch.
 *
 *   SCHEDULED ──▶ RUNNING ──▶ COMPLETED
 *       │  ╲        │ ▲
 *       ▼   ╲       ▼ │
 *   CANCELLED ◀── PAUSED ──▶ SCHEDULED, if it had not begun
 *
 * A campaign has one launch at a time that is not over.
 */
export const logStatuses = ['SCHEDULED', 'RUNNING', 'PAUSED', 'COMPLETED', 'CANCELLED'] as const;
export type LogStatus = (typeof logStatuses)[number];

export const isOver = (status: LogStatus): boolean => status === 'COMPLETED' || status === 'CANCELLED';
