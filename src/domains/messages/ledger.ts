import type { Db } from '../../platform/db/pool.ts';
import { countByStatus } from './queries.ts';

/**
 * Proof that nothing is lost. A QUEUED message counts as pending only if its queue entry is there to carry it on, so a
 * message that fell between the two shows up as unaccounted.
 */
export async function readLedger(db: Db, accountId: string) {
  const counts = await countByStatus(db, accountId);
  const of = (status: string): number => counts[status] ?? 0;
  const final = { delivered: of('DELIVERED'), read: of('READ'), failed: of('FAILED'), cancelled: of('CANCELLED') };
  const pending = { queued: of('IN_QUEUE'), sent: of('SENT') };
  const accepted = of('QUEUED') + of('SENT') + sum(final);
  return { accepted, final, pending, unaccounted: accepted - sum(final) - sum(pending) };
}

const sum = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);
