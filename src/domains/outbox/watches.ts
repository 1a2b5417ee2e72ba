import type { Deps } from '../../deps.ts';
import type { Watch } from '../../platform/work/poll.ts';
import type { StatesTable } from './outbox.ts';
import { laterText, readyText } from './statuses.ts';

/** When delivery looks: what the poll is asked about an outbox (see `platform/work/poll.ts`). */
export function makeWatches({ states }: StatesTable) {
  const any = (...conditions: string[]): string =>
    conditions.map((condition) => `exists (select 1 from ${states} where ${condition})`).join('\n  or ');

  /**
   * The questions of delivery: whether something may leave now or soon, and whether another worker has claims, since that worker
   * may be dead. `also` are further SQL conditions of the domain.
   */
  const watch = (
    { listener: { poll, workerNumber } }: Deps,
    also: { found?: string; lost?: string } = {},
  ): { found: Watch; lost: Watch } => {
    const found = any(readyText, `${laterText} and due_at <= now() + interval '2 seconds'`);
    // It leaves out the worker's own claims, which it knows of: the index is full of those that have ended.
    const lost = any(`claimed_by < ${workerNumber}`, `claimed_by > ${workerNumber}`);
    const together = (one: string, other?: string): Watch => poll.watch(other ? `${one}\n  or ${other}` : one);
    return { found: together(found, also.found), lost: together(lost, also.lost) };
  };
  return { watch };
}
