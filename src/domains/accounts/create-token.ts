import { systemMs } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/pool.ts';
import { ValidationError } from '../../platform/errors.ts';
import type { Principal } from '../../platform/http/route.ts';
import { withOffset } from '../../platform/http/validation/index.ts';
import { newToken, tokenHash } from '../../platform/secrets.ts';
import { insertToken } from './queries.ts';
import { refuseBeyond } from './refuse-others.ts';
import type { TokenCreate } from './schemas.ts';

/** Makes a token for the caller's account. It can never do more than the token that asked for it. */
export async function createToken(db: Db, principal: Principal, request: TokenCreate) {
  const scopes = request.scopes ?? ['read', 'write'];
  refuseBeyond(principal, scopes);
  const expires = request.expires ? withOffset(request.expires) : null;
  if (expires && Date.parse(expires) <= systemMs()) {
    throw new ValidationError({ expires: ['Ensure this moment is in the future.'] });
  }
  const token = newToken();
  const row = await insertToken(db, principal.accountId, {
    name: request.name,
    hash: tokenHash(token),
    scopes,
    expires,
  });
  return { row, token };
}
