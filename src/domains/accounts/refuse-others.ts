import type { Db } from '../../platform/db/connect/pool.ts';
import { ApiError, ValidationError } from '../../platform/errors.ts';
import { allows, type Principal, type Scope } from '../../platform/http/route.ts';
import { findAccount } from './queries.ts';

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
