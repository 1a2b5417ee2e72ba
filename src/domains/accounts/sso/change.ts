import type { Deps } from '../../../deps.ts';
import { type Db, inTransaction } from '../../../platform/db/connect/pool.ts';
import { ApiError, notFound, ValidationError } from '../../../platform/errors.ts';
import type { Principal } from '../../../platform/http/route.ts';
import { newId } from '../../../platform/ids.ts';
import { namesRefusedAddress, refusalOf } from '../../../platform/outbound/guard.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { findAccount } from '../queries.ts';
import { findBuiltIn } from '../roles/built-in.ts';
import { keepOwnRoles } from '../roles/queries.ts';
import { scopesBeyond } from '../roles/rights.ts';
import { tokenCache } from '../tokens/authenticate.ts';
import { setDomains } from './domains.ts';
import {
  deleteIdentities,
  deleteProviderRow,
  endSessionsOf,
  hasEnabledProvider,
  insertProvider,
  listDomains,
  lockProvider,
  type ProviderRow,
  updateProvider,
} from './queries.ts';
import type { GroupRole, IdentityProviderCreate, IdentityProviderPatch } from './schemas.ts';

/**
 * A provider says who somebody is, and so can make anybody of the account of anybody. Whoever sets one up must be able to do all
 * that any user of the account can: an owner, and in the operator's account an operator.
 */
export async function refuseOthersThanOwners(db: Db, principal: Principal): Promise<void> {
  const { operator } = await findAccount(db, principal.accountId);
  const needed = ['read', 'write', ...(operator ? ['operator'] : [])];
  if (scopesBeyond(principal, needed).length === 0) return;
  throw new ApiError('permission_denied', {
    detail: `Only somebody who may do everything in this account can do this: ${needed.join(', ')}.`,
  });
}

export async function createProvider(
  deps: Deps,
  principal: Principal,
  body: IdentityProviderCreate,
): Promise<ProviderRow> {
  const { accountId } = principal;
  await refuseOthersThanOwners(deps.db, principal);
  const { domains = [], client_secret, group_roles = [], ...given } = body;
  checkIssuer(deps, body.issuer);
  checkTrust(given.trust_email, domains);
  return inTransaction(deps.db, async (db) => {
    await checkRoles(db, accountId, { group_roles, default_role: given.default_role });
    const row = await insertProvider(db, accountId, {
      uuid: newId(),
      token_auth_method: 'client_secret_basic',
      scopes: 'openid email profile',
      groups_claim: 'groups',
      create_users: true,
      trust_email: false,
      trust_second_factor: false,
      enabled: true,
      ...given,
      default_role: given.default_role ?? null,
      group_roles: JSON.stringify(group_roles),
      client_secret: deps.vault.seal(client_secret),
    });
    await setDomains(deps, db, row, domains);
    return row;
  });
}

/** Another issuer is another provider: nobody is anybody there, and who signed in by it signs in again. */
export async function changeProvider(
  deps: Deps,
  principal: Principal,
  uuid: string,
  patch: IdentityProviderPatch,
): Promise<ProviderRow> {
  const { accountId } = principal;
  await refuseOthersThanOwners(deps.db, principal);
  const { domains, client_secret, group_roles, ...plain } = patch;
  if (patch.issuer !== undefined) checkIssuer(deps, patch.issuer);
  const row = await inTransaction(deps.db, async (db) => {
    const before = await take(db, accountId, uuid);
    const known = domains ?? (await listDomains(db, accountId, [uuid])).map(({ domain }) => domain);
    checkTrust(plain.trust_email ?? before.trust_email, known);
    await checkRoles(db, accountId, { group_roles, default_role: plain.default_role });
    const isOther = patch.issuer !== undefined && patch.issuer !== before.issuer;
    const changed = await updateProvider(db, accountId, uuid, {
      ...plain,
      ...(group_roles && { group_roles: JSON.stringify(group_roles) }),
      ...(client_secret !== undefined && { client_secret: deps.vault.seal(client_secret) }),
      ...(isOther && { metadata: null, discovered: null }),
      modified: timestamp(deps.clock.now()),
    });
    if (domains) await setDomains(deps, db, changed, domains);
    if (isOther) await deleteIdentities(db, accountId, uuid);
    if (isOther || !changed.enabled) await endSessionsOf(db, accountId, uuid);
    if (!changed.enabled) await keepAWayIn(db, accountId, uuid);
    return changed;
  });
  deps.caches.forget(tokenCache);
  return row;
}

export async function deleteProvider(deps: Deps, principal: Principal, uuid: string): Promise<void> {
  const { accountId } = principal;
  await refuseOthersThanOwners(deps.db, principal);
  await inTransaction(deps.db, async (db) => {
    await take(db, accountId, uuid);
    await keepAWayIn(db, accountId, uuid);
    await endSessionsOf(db, accountId, uuid);
    await deleteProviderRow(db, accountId, uuid);
  });
  deps.caches.forget(tokenCache);
}

async function take(db: Db, accountId: string, uuid: string): Promise<ProviderRow> {
  const row = await lockProvider(db, accountId, uuid);
  if (!row) throw notFound();
  return row;
}

/** Users who have to sign in by a provider need one. */
async function keepAWayIn(db: Db, accountId: string, uuid: string): Promise<void> {
  const { sso_required } = await findAccount(db, accountId);
  if (sso_required && !(await hasEnabledProvider(db, accountId, uuid))) throw new ApiError('last_identity_provider');
}

/** Private addresses are refused as soon as they can be; names are checked at every connection. */
function checkIssuer({ guards }: Deps, issuer: string): void {
  const url = new URL(issuer);
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new ValidationError({ issuer: ['Enter the issuer without credentials, a query string or a fragment.'] });
  }
  if (namesRefusedAddress(guards.sso, issuer)) throw new ValidationError({ issuer: [refusalOf('SSO_ALLOW')] });
}

/** Otherwise whoever can choose an address at the provider could choose that of anybody. */
function checkTrust(isTrusted: boolean | undefined, domains: string[]): void {
  if (!isTrusted || domains.length > 0) return;
  throw new ValidationError({ trust_email: ['Give the domains whose addresses are to be trusted.'] });
}

async function checkRoles(
  db: Db,
  accountId: string,
  {
    group_roles = [],
    default_role,
  }: { group_roles?: GroupRole[] | undefined; default_role?: string | null | undefined },
): Promise<void> {
  const own = new Set((await keepOwnRoles(db, accountId)).map(({ name }) => name.toLowerCase()));
  const isKnown = (name: string): boolean => findBuiltIn(name) !== undefined || own.has(name.toLowerCase());
  const unknown = { role: ['There is no such role.'] };
  const errors = group_roles.map(({ role }) => (isKnown(role) ? {} : unknown));
  if (errors.includes(unknown)) throw new ValidationError({ group_roles: errors });
  if (default_role && !isKnown(default_role)) throw new ValidationError({ default_role: unknown.role });
}
