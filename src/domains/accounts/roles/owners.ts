import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { ApiError } from '../../../platform/errors.ts';

/**
 * Does what may take an account's last owner away, and refuses if it did: nobody could give those rights to anybody again. An owner
 * is whoever may read and write everything, by role or by scopes. An account that has no owner, only tokens, is left alone. Two who
 * try at once take turns.
 */
export async function keepAnOwner<T>(db: Db, accountId: string, work: () => Promise<T>): Promise<T> {
  await db.selectFrom('accounts').select('uuid').where('uuid', '=', accountId).forNoKeyUpdate().execute();
  const hadOwner = await hasOwner(db, accountId);
  const done = await work();
  if (hadOwner && !(await hasOwner(db, accountId))) throw new ApiError('last_owner');
  return done;
}

async function hasOwner(db: Db, accountId: string): Promise<boolean> {
  const owner = await db
    .selectFrom('users')
    .select('uuid')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`scopes @> '{read,write}'`)
    // Somebody who cannot sign in helps nobody.
    .where('deactivated', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return owner !== undefined;
}
