import { sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';

/** A caller goes on to count as one, without the number. */
export async function eraseCaller(db: Db, accountId: string, digits: string, hash: string): Promise<void> {
  await sql`
    with gone as (
      delete from number_callers where account_id = ${accountId} and caller = ${digits} returning digits, day
    )
    insert into number_callers (account_id, digits, day, caller) select ${accountId}, digits, day, ${hash} from gone
    on conflict do nothing`.execute(db);
}
