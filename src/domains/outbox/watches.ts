import type { Deps } from '../../deps.ts';
import type { Watch } from '../../platform/work/poll.ts';
import type { StatesTable } from './outbox.ts';
import { laterText, readyText } from './statuses.ts';

/** When delivery looks: what the poll is asked about an outbox (see `platform/work/poll.ts`). */
export function makeWatches({ states }: StatesTable) {
  const any = (...conditions: string[]): string =>
    conditions.map((condition) => `exists (select from ${states} where ${condition})`).join('\n  or ');

  /**
   * Whether something may leave, or soon will; and whether somebody else has claimed something, who may be dead. `also` are SQL conditions of
   * the domain's own.
   */
  const watch = (
    { listener: { poll, workerNumber } }: Deps,
    also: { found?: string; lost?: string } = {},
  ): { found: Watch; lost: Watch } => {
    const found = any(readyText, `${laterText} and due_at <= now() + interval '2 seconds'`);
    // Of its own it knows, and the index is full of those that have ended.
    const lost = any(`claimed_by < ${workerNumber}`, `claimed_by > ${workerNumber}`);
    const together = (one: string, other?: string): Watch => poll.watch(other ? `${one}\n  or ${other}` : one);
    return { found: together(found, also.found), lost: together(lost, also.lost) };
  };
  return { watch };
}
