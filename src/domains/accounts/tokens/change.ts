import type { Deps } from '../../../deps.ts';
import { type Db, inTransaction } from '../../../platform/db/connect/pool.ts';
import { ApiError, notFound, ValidationError } from '../../../platform/errors.ts';
import type { Principal } from '../../../platform/http/route.ts';
import { withOffset } from '../../../platform/http/validation/index.ts';
import { parseNetwork } from '../../../platform/networks.ts';
import { readPhone } from '../../../platform/phone.ts';
import { newToken, tokenHash } from '../../../platform/secrets.ts';
import { systemMs, timestamp } from '../../../platform/time/clock.ts';
import { findAccount } from '../queries.ts';
import { refuseBeyond, scopesBeyond } from '../roles/rights.ts';
import { refuseOthersThanOwners } from '../sso/change.ts';
import { keepUser } from '../users/queries.ts';
import { tokenCache } from './authenticate.ts';
import { deleteToken, findToken, insertToken, type ListedToken, lockToken, type TokenRow } from './queries.ts';
import type { TokenCreate } from './schemas.ts';

/**
 * Makes a token for the caller's account. It can never do more than the token that asked for it, lives no longer, and ends with it.
 * A browser's session is not meant to last: what is made there ends with whoever opened it, the user or the token.
 */
export const createToken = (
  db: Db,
  principal: Principal,
  request: TokenCreate,
): Promise<{ row: ListedToken; token: string }> =>
  inTransaction(db, async (db) => {
    const scopes = request.scopes ?? ['read', 'write'];
    refuseBeyond(principal, scopes);
    // With it one can rename anybody, and so become anybody.
    if (scopes.some((scope) => scope.startsWith('scim:'))) await refuseOthersThanOwners(db, principal);
    const maker = await takeMaker(db, principal);
    const parent = maker.kind === 'SESSION' ? await findParent(db, maker) : maker;
    const { token_days: usualDays } = await findAccount(db, principal.accountId);
    const token = newToken();
    const row = await insertToken(db, principal.accountId, {
      name: request.name,
      hash: tokenHash(token),
      scopes,
      expires: expiryOf(request, parent?.expires ?? null, usualDays),
      purpose: request.purpose ?? '',
      allowed_networks: networksOf(request, maker),
      resources: resourcesOf(request, principal),
      parent: parent?.uuid ?? null,
      creator: maker.user_uuid,
    });
    return { row: { ...row, created_by: principal.actor?.name ?? null }, token };
  });

/**
 * The caller's own token, which may have been revoked a moment ago. From here on nobody can revoke it, nor change its user's password,
 * without finding the new token, too; the user comes first, as where those are changed.
 */
async function takeMaker(db: Db, { accountId, tokenId }: Principal): Promise<TokenRow> {
  const maker = await findToken(db, accountId, tokenId);
  const isKept =
    maker !== undefined &&
    (maker.user_uuid === null || (await keepUser(db, accountId, maker.user_uuid))) &&
    (maker.parent === null || (await lockToken(db, accountId, maker.parent))) &&
    (await lockToken(db, accountId, tokenId));
  if (!isKept) throw new ApiError('authentication_failed', { headers: { 'www-authenticate': 'Token' } });
  return maker;
}

const findParent = async (db: Db, { account_id, parent }: TokenRow): Promise<TokenRow | undefined> =>
  parent === null ? undefined : findToken(db, account_id, parent);

/** From where it may be used: of the networks of its maker, if that has any. */
function networksOf({ allowed_networks: wanted }: TokenCreate, { allowed_networks: own }: TokenRow): string[] | null {
  if (!wanted) return own;
  const wrong = wanted.filter((text) => !parseNetwork(text));
  if (wrong.length > 0) {
    throw new ValidationError({ allowed_networks: [`Enter networks such as 192.0.2.0/24; not ${wrong.join(', ')}.`] });
  }
  const beyond = own ? wanted.filter((text) => !own.includes(text)) : [];
  if (beyond.length > 0) {
    throw new ValidationError({ allowed_networks: [`Your own token may not be used from: ${beyond.join(', ')}.`] });
  }
  return wanted;
}

/** What it is bound to, as digits. Whoever is bound makes no tokens: the gate sees to that. */
const resourcesOf = ({ resources }: TokenCreate, { country }: Principal): string[] | null =>
  resources ? [...new Set(resources.map((number) => readPhone(number, country)))] : null;

/** When it ends: at the latest when its parent does; if nothing is said, as the account says. */
function expiryOf({ expires: wanted }: TokenCreate, latest: string | null, usualDays: number | null): string | null {
  if (wanted === undefined) {
    const usual = usualDays === null ? null : timestamp(new Date(systemMs() + usualDays * 86_400_000));
    return latest && (usual === null || Date.parse(latest) < Date.parse(usual)) ? latest : usual;
  }
  const expires = wanted === null ? null : withOffset(wanted);
  if (expires && Date.parse(expires) <= systemMs()) {
    throw new ValidationError({ expires: ['Ensure this moment is in the future.'] });
  }
  if (latest && (expires === null || Date.parse(expires) > Date.parse(latest))) {
    throw new ValidationError({
      expires: [`Your own token expires at ${latest}; ensure this one does not outlive it.`],
    });
  }
  return expires;
}

/** Ends a token and all that were made from it. A token that may do little must not put those of others out of work. */
export async function revokeToken({ db, caches }: Deps, principal: Principal, uuid: string): Promise<void> {
  const token = await findToken(db, principal.accountId, uuid);
  if (!token) throw notFound();
  if (scopesBeyond(principal, token.scopes).length > 0) throw new ApiError('permission_denied');
  if (!(await deleteToken(db, principal.accountId, uuid))) throw notFound();
  caches.forget(tokenCache);
}
