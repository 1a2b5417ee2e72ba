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

/** The counts of a launch by name, as the tallies have them. */
export type Counts = ReadonlyMap<string, number>;

/** Every recipient counts under one of these, or under `skipped_` and a reason. */
const standings = ['queued', 'held', 'sent', 'delivered', 'read', 'failed', 'cancelled', 'opted_out'] as const;
export type Standing = (typeof standings)[number];

const skippedPrefix = 'skipped_';
export const cancelledTally = `${skippedPrefix}cancelled`;

export const countOf = (counts: Counts, name: Standing | 'replied' | 'clicked'): number => counts.get(name) ?? 0;

/** Those that were left out, by reason. */
export const skippedByReason = (counts: Counts): Record<string, number> =>
  Object.fromEntries(
    [...counts]
      .filter(([name, count]) => name.startsWith(skippedPrefix) && count > 0)
      .map(([name, count]) => [name.slice(skippedPrefix.length), count]),
  );

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, each) => total + each, 0);

export const countSkipped = (counts: Counts): number => sum(Object.values(skippedByReason(counts)));

/** How many of the audience the launch has come to. */
export const countReached = (counts: Counts): number =>
  sum(standings.map((name) => countOf(counts, name))) + countSkipped(counts);

/** How many messages have left. */
export const countLeft = (counts: Counts): number =>
  sum((['sent', 'delivered', 'read', 'failed'] as const).map((name) => countOf(counts, name)));
