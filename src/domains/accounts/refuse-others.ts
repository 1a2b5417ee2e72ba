import type { Db } from '../../platform/db/pool.ts';
import { ApiError } from '../../platform/errors.ts';
import { findAccount } from './queries.ts';

/** What belongs to the whole installation is the operator's alone, whatever the scopes of another account's token. */
export async function refuseOthersThanOperator(db: Db, accountId: string): Promise<void> {
  if (!(await findAccount(db, accountId)).operator) throw new ApiError('permission_denied');
}
