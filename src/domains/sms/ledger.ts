import { sql } from 'kysely';
import { Type } from 'typebox';
import type { Db } from '../../platform/db/pool.ts';

const count = Type.Integer({ minimum: 0 });

export const SmsLedger = Type.Object(
  {
    accepted: count,
    final: Type.Object({ delivered: count, failed: count, cancelled: count }),
    pending: Type.Object({ queued: count, sent: count }),
    unaccounted: Type.Integer({ description: 'accepted − final − pending. Anything but 0 is a fault of ours.' }),
  },
  { title: 'SmsLedger' },
);

/**
 * Proof that no SMS is lost. What was accepted is counted from the SMS, what became of them from where they stand: one that fell
 * between the two shows up as unaccounted.
 */
export async function readSmsLedger(db: Db, accountId: string) {
  const { rows } = await sql<{ name: string; count: number }>`
    select 'ACCEPTED' as name, count(*) from sms where account_id = ${accountId} and direction = 'OUTBOUND'
    union all
    select status, count(*) from sms_standings
    where account_id = ${accountId} and status <> 'RECEIVED' group by status`.execute(db);
  const counts = new Map(rows.map((row) => [row.name, row.count]));
  const of = (name: string): number => counts.get(name) ?? 0;
  const accepted = of('ACCEPTED');
  const final = { delivered: of('DELIVERED'), failed: of('FAILED'), cancelled: of('CANCELLED') };
  const pending = { queued: of('QUEUED'), sent: of('SENT') };
  const known = [...Object.values(final), ...Object.values(pending)].reduce((total, one) => total + one, 0);
  return { accepted, final, pending, unaccounted: accepted - known };
}
