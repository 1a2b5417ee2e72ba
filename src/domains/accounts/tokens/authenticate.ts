import type { Deps } from '../../../deps.ts';
import { isStale } from '../../../platform/http/access/gate.ts';
import type { Actor, Demands, Principal } from '../../../platform/http/route.ts';
import { makeNetworks } from '../../../platform/networks.ts';
import { tokenHash } from '../../../platform/secrets.ts';
import { refusalOf } from '../standing.ts';
import { findTokenAnyAccount, type KnownToken } from './queries.ts';

/** The cache of tokens; to be forgotten when one is revoked or limits or names change. */
export const tokenCache = 'tokens';

interface Known {
  principal: Principal;
  expires: number;
}

/**
 * Resolves tokens to accounts. Unknown tokens are not remembered: one may be created in the next moment, and strangers must
 * not fill the memory.
 */
export function makeAuthenticator({ db, clock, config, caches }: Deps) {
  const cache = caches.of<Known>(tokenCache);

  const look = async (token: string): Promise<Principal | null> => {
    const stamp = cache.stamp();
    const row = await findTokenAnyAccount(db, tokenHash(token));
    if (!row || isOver(row, clock.now())) return null;
    const limits = row.limits as { requests_per_minute?: number };
    const principal: Principal = {
      tokenId: row.uuid,
      accountId: row.account_id,
      scopes: row.scopes,
      requestsPerMinute: limits.requests_per_minute ?? config.REQUESTS_PER_MINUTE,
      country: row.default_country,
      auditReads: row.audit_reads,
      redactsContent: row.redact_content,
      actor: actorOf(row),
      refusal: refusalOf(row.status),
      ...signInOf(row),
      ...(row.allowed_networks && { networks: makeNetworks(row.allowed_networks) }),
      ...(row.resources && { resources: new Set(row.resources) }),
    };
    // What changes in a moment is looked up each time: they are setting up the second factor.
    if (!principal.mustEnrol) cache.set(token, { principal, expires: endOf(row) }, stamp);
    return principal;
  };

  return (token: string, demands: Demands = {}): Principal | null | Promise<Principal | null> => {
    const known = cache.get(token);
    const isGood = known && known.expires > clock.now().getTime() && !isStale(known.principal, demands);
    return isGood ? known.principal : look(token);
  };
}

/** Who signed in for a token, and when they last proved who they are; nothing for the token of a program. */
function signInOf(row: KnownToken): Pick<Principal, 'userId' | 'signedIn' | 'mustEnrol'> {
  const isSession = row.kind === 'SESSION';
  const isPerson = row.user_uuid !== null;
  return {
    userId: row.user_uuid ?? undefined,
    ...((isSession || isPerson) && { signedIn: { isSession, atMs: Date.parse(row.authenticated ?? row.created) } }),
    ...(isPerson && mustEnrol(row) && { mustEnrol: true }),
  };
}

/** Whether somebody who signed in is to set up a second factor before anything else. */
export const mustEnrol = (token: Pick<KnownToken, 'require_second_factor' | 'second_factor'>): boolean =>
  token.require_second_factor && !token.second_factor;

const dayMs = 86_400_000;
const minuteMs = 60_000;

/**
 * When it ends. A browser's session ends earlier if the account has shortened its sessions since, or if nobody used it for long; when a
 * token was used is noted once a minute, so one more is allowed. All of it is in the row that is read anyhow.
 */
function endOf({ kind, expires, created, last_used, session_days, session_idle_minutes: idle }: KnownToken): number {
  const end = expires ? Date.parse(expires) : Number.POSITIVE_INFINITY;
  if (kind !== 'SESSION') return end;
  const idleEnd = idle === null ? end : Date.parse(last_used ?? created) + (idle + 1) * minuteMs;
  return Math.min(end, Date.parse(created) + session_days * dayMs, idleEnd);
}

export const isOver = (token: KnownToken, now: Date): boolean => endOf(token) <= now.getTime();

/** Who acts: the person who signed in, else the token; in a session that was opened with a token, that one. */
export function actorOf({ uuid, name, kind, user_uuid, username, parent, parent_name }: KnownToken): Actor {
  if (user_uuid !== null && username !== null) return { type: 'USER', uuid: user_uuid, name: username };
  const isSession = kind === 'SESSION' && parent !== null && parent_name !== null;
  return isSession ? { type: 'TOKEN', uuid: parent, name: parent_name } : { type: 'TOKEN', uuid, name };
}
