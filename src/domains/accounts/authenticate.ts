import type { Deps } from '../../deps.ts';
import type { Principal } from '../../platform/http/route.ts';
import { tokenHash } from '../../platform/secrets.ts';
import { findTokenAnyAccount } from './queries.ts';

/** The memory of tokens; to be forgotten when one is revoked or limits change. */
export const tokenMemory = 'tokens';

interface Known {
  principal: Principal;
  expires: number;
}

/**
 * Resolves tokens to accounts. Unknown tokens are not remembered: one may be created in the next moment, and strangers must
 * not fill the memory.
 */
export function makeAuthenticator({ db, clock, config, memories }: Deps) {
  const memory = memories.of<Known>(tokenMemory);

  const look = async (token: string): Promise<Principal | null> => {
    const stamp = memory.stamp();
    const row = await findTokenAnyAccount(db, tokenHash(token));
    const expires = row?.expires ? Date.parse(row.expires) : Number.POSITIVE_INFINITY;
    if (!row || expires <= clock.now().getTime()) return null;
    const limits = row.limits as { requests_per_minute?: number };
    const principal: Principal = {
      tokenId: row.uuid,
      accountId: row.account_id,
      scopes: row.scopes,
      requestsPerMinute: limits.requests_per_minute ?? config.REQUESTS_PER_MINUTE,
    };
    memory.set(token, { principal, expires }, stamp);
    return principal;
  };

  return (token: string): Principal | null | Promise<Principal | null> => {
    const known = memory.get(token);
    return known && known.expires > clock.now().getTime() ? known.principal : look(token);
  };
}
