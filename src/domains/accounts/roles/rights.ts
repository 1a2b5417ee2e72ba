import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { ApiError, ValidationError } from '../../../platform/errors.ts';
import { allows, type Principal, type Scope } from '../../../platform/http/route.ts';
import { findAccount } from '../queries.ts';

/** What belongs to the whole installation is the operator's alone, whatever the scopes of another account's token. */
export async function refuseOthersThanOperator(db: Db, accountId: string): Promise<void> {
  if (!(await findAccount(db, accountId)).operator) throw new ApiError('permission_denied');
}

/** Those of the scopes that the caller does not have. */
export const scopesBeyond = ({ scopes: own }: Pick<Principal, 'scopes'>, scopes: string[]): string[] =>
  scopes.filter((scope) => !allows(own, scope as Scope));

/** Nobody gives away more than they have. */
export function refuseBeyond(principal: Principal, scopes: string[]): void {
  const beyond = scopesBeyond(principal, scopes);
  if (beyond.length === 0) return;
  throw new ValidationError({ scopes: [`Your own token does not have: ${beyond.join(', ')}.`] });
}

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
