import type { Deps } from '../../deps.ts';
import type { Listener } from '../../platform/db/listener.ts';
import type { Principal } from '../../platform/http/route.ts';
import { tokenHash } from '../../platform/secrets.ts';
import { findTokenAnyAccount } from './queries.ts';

const topic = 'tokens';
/** A revoked token is forgotten everywhere by a notice; this is the longest it can live on if the notice was lost. */
const cachedForMs = 10_000;
const mostCached = 10_000;

interface Cached {
  principal: Principal | null;
  until: number;
}

/** Resolves tokens to accounts, remembering recent answers so that a busy token costs no query. */
export function makeAuthenticator({ db, clock, config, listener }: Deps) {
  const cache = new Map<string, Cached>();
  listener.on(topic, () => cache.clear());

  const look = async (hash: string): Promise<Principal | null> => {
    const row = await findTokenAnyAccount(db, hash);
    const now = clock.now().getTime();
    const expires = row?.expires ? Date.parse(row.expires) : Number.POSITIVE_INFINITY;
    const principal: Principal | null =
      row && expires > now
        ? {
            tokenId: row.uuid,
            accountId: row.account_id,
            scopes: row.scopes,
            requestsPerMinute:
              (row.limits as { requests_per_minute?: number }).requests_per_minute ?? config.REQUESTS_PER_MINUTE,
          }
        : null;
    // Unknown tokens are not remembered: one may be created in the next moment, and strangers must not fill the memory.
    if (principal) {
      if (cache.size >= mostCached) cache.clear();
      cache.set(hash, { principal, until: Math.min(expires, now + cachedForMs) });
    }
    return principal;
  };

  return (token: string): Principal | null | Promise<Principal | null> => {
    const hash = tokenHash(token);
    const known = cache.get(hash);
    return known && known.until > clock.now().getTime() ? known.principal : look(hash);
  };
}

/** What is remembered of tokens and limits may be wrong from now on: forgotten here at once, elsewhere in a moment. */
export const forgetTokens = (listener: Listener): void => listener.signal(topic, '');
