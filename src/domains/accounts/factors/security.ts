import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { type AccountRow, findAccount } from '../queries.ts';
import type { AccountSecurityPatch } from './schemas.ts';

/** Changes what the account asks of whoever signs in. */
export function requireSecondFactor(db: Db, accountId: string, patch: AccountSecurityPatch): Promise<AccountRow> {
  if (Object.keys(patch).length === 0) return findAccount(db, accountId);
  return db
    .updateTable('accounts')
    .set({ ...patch, modified: sql`now()` })
    .where('uuid', '=', accountId)
    .returningAll()
    .executeTakeFirstOrThrow();
}
