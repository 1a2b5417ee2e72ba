import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { perAccount } from '../../../platform/db/distribute/layout.ts';

/** SQL for a statement that has `changed` calls: notes those of them that ended without their caller getting through. */
export const noteMissedText = `insert into missed_calls (account_id, call)
    select account_id, uuid from changed
    where status = 'ENDED' and direction = 'INBOUND' and from_digits <> ''
      and result in ('MISSED', 'ABANDONED', 'BUSY', 'VOICEMAIL', 'FAILED')
    on conflict do nothing`;

/** A caller who did not get through. */
export interface MissedCall {
  accountId: string;
  call: string;
  /** By their digits. */
  number: string;
  caller: string;
  at: string;
}

/** Takes those that nobody has looked at yet; other processes take others. */
export async function takeMissedAnyAccount(db: Db, most: number): Promise<MissedCall[]> {
  return perAccount(db, sql`select account_id from missed_calls`, async (ofAccount) => {
    const { rows } = await sql<MissedCall>`
      with taken as (
        delete from missed_calls where ${ofAccount('account_id')} and (account_id, call) in (
          select account_id, call from missed_calls where ${ofAccount('account_id')}
          order by account_id, call limit ${most} for update skip locked)
        returning *
      )
      select taken.account_id as "accountId", call, number_digits as number, from_digits as caller, at
      from taken join calls on calls.account_id = taken.account_id and calls.uuid = taken.call
      order by call`.execute(db);
    return rows;
  });
}
