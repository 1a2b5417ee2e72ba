import { sql } from 'kysely';
import { type Db, inTransaction } from '../../../platform/db/connect/pool.ts';
import { ValidationError } from '../../../platform/errors.ts';
import { type AccountRow, findAccount } from '../queries.ts';
import { endSignInsWithoutSso, hasEnabledProvider, hasOwnerWithPassword } from '../sso/queries.ts';
import type { AccountSecurityPatch } from './schemas.ts';

/** Changes what the account asks of whoever signs in. Who must sign in by a provider from now on does so at once. */
export async function changeSecurity(db: Db, accountId: string, patch: AccountSecurityPatch): Promise<AccountRow> {
  if (Object.keys(patch).length === 0) return findAccount(db, accountId);
  return inTransaction(db, async (db) => {
    if (patch.sso_required) {
      await checkWaysIn(db, accountId);
      await endSignInsWithoutSso(db, accountId);
    }
    return db
      .updateTable('accounts')
      .set({ ...patch, modified: sql`now()` })
      .where('uuid', '=', accountId)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Nobody must be able to lock the account's people out by a switch. */
async function checkWaysIn(db: Db, accountId: string): Promise<void> {
  if (!(await hasEnabledProvider(db, accountId))) {
    throw new ValidationError({ sso_required: ['Add an identity provider that is enabled first.'] });
  }
  if (!(await hasOwnerWithPassword(db, accountId))) {
    throw new ValidationError({
      sso_required: [
        'At least one owner must have a password, so that you can sign in when the provider is unavailable.',
      ],
    });
  }
}
