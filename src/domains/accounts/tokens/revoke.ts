import type { Deps } from '../../../deps.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import type { Principal } from '../../../platform/http/route.ts';
import { deleteToken, findToken } from '../queries.ts';
import { scopesBeyond } from '../refuse-others.ts';
import { tokenCache } from './authenticate.ts';

/** Ends a token and all that were made from it. A token that may do little must not put those of others out of work. */
export async function revokeToken({ db, caches }: Deps, principal: Principal, uuid: string): Promise<void> {
  const token = await findToken(db, principal.accountId, uuid);
  if (!token) throw notFound();
  if (scopesBeyond(principal, token.scopes).length > 0) throw new ApiError('permission_denied');
  if (!(await deleteToken(db, principal.accountId, uuid))) throw notFound();
  caches.forget(tokenCache);
}
