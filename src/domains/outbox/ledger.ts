import { sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import type { StatesTable } from './table.ts';

/**
 * Proof that nothing is lost. What was accepted is counted from the messages, what became of them from their states: one that fell
 * between the two shows up as unaccounted.
 */
export async function readLedger<F extends string>(
  db: Db,
  { accepted: messages, standings }: StatesTable,
  accountId: string,
  finals: readonly F[],
) {
  const { rows } = await sql<{ name: string; count: number }>`
    select 'ACCEPTED' as name, count(*) from ${sql.table(messages)}
    where account_id = ${accountId} and direction = 'OUTBOUND'
    union all
    select status, count(*) from ${sql.table(standings)}
    where account_id = ${accountId} and status <> 'RECEIVED' group by status`.execute(db);
  const counts = new Map(rows.map((row) => [row.name, row.count]));
  const of = (name: string): number => counts.get(name.toUpperCase()) ?? 0;
  const accepted = of('ACCEPTED');
  const final = Object.fromEntries(finals.map((name) => [name, of(name)])) as Record<F, number>;
  const pending = { queued: of('QUEUED'), sent: of('SENT') };
  const known = [...Object.values<number>(final), ...Object.values(pending)].reduce((total, one) => total + one, 0);
  return { accepted, final, pending, unaccounted: accepted - known };
}
