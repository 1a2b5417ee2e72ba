import type { Db } from '../../platform/db/pool.ts';
import { countByStatus } from './queries.ts';

/**
 * Proof that nothing is lost. What was accepted is counted from the messages, what became of them from their states: a
 * message that fell between the two shows up as unaccounted.
 */
export async function readLedger(db: Db, accountId: string) {
  const counts = await countByStatus(db, accountId);
  const of = (name: string): number => counts.get(name) ?? 0;
  const accepted = of('ACCEPTED');
  const final = { delivered: of('DELIVERED'), read: of('READ'), failed: of('FAILED'), cancelled: of('CANCELLED') };
  const pending = { queued: of('QUEUED'), sent: of('SENT') };
  return { accepted, final, pending, unaccounted: accepted - sum(final) - sum(pending) };
}

const sum = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);
