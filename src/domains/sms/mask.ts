import { sql } from 'kysely';
import { uuidArray } from '../../platform/db/arrays.ts';
import { contentOf, type Db } from '../../platform/db/connect/pool.ts';
import { masked } from '../../platform/text/mask.ts';

/** Masks sensitive SMS that are through, or of which nobody reported for so long; at most so many. Answers how many. */
export async function maskSmsAnyAccount(db: Db, { most, before }: { most: number; before: Date }): Promise<number> {
  const { rows } = await sql<{ account_id: string; uuid: string }>`
    select sms.account_id, sms.uuid
    from sms join sms_states as state on state.account_id = sms.account_id and state.uuid = sms.uuid
    where sms.sensitive = 1 and (state.status in ('DELIVERED', 'FAILED', 'CANCELLED')
      or state.status = 'SENT' and sms.created < ${before.toISOString()})
    limit ${most}`.execute(db);
  for (const [accountId, own] of Map.groupBy(rows, (row) => row.account_id)) {
    await sql`
      update sms set text = ${contentOf(db).text(accountId, masked)}, sensitive = 2
      where account_id = ${accountId} and uuid = any (${uuidArray(own.map(({ uuid }) => uuid))}::uuid[])`.execute(db);
  }
  return rows.length;
}
