import type { Deps } from '../../../deps.ts';
import { type Db, inTransaction } from '../../../platform/db/connect/pool.ts';
import { ApiError, notFound, ValidationError } from '../../../platform/errors.ts';
import type { Principal } from '../../../platform/http/route.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { isRoleInvited, renameRoleOfInvitations } from '../invitations/queries.ts';
import { listProvidersGiving, renameRoleOfProviders } from '../sso/queries.ts';
import { tokenCache } from '../tokens/authenticate.ts';
import { deleteTokens } from '../users/queries.ts';
import { findBuiltIn } from './built-in.ts';
import {
  deleteRoleRow,
  insertRole,
  keepOwnRole,
  listOwnRoles,
  listTokensMadeByUsers,
  lockOwnRole,
  lockUsersOfRole,
  type RoleRow,
  renameRoleOfUsers,
  setScopesOfUsers,
  updateRole,
} from './queries.ts';
import { keepAnOwner, refuseBeyond, scopesBeyond } from './rights.ts';
import type { RoleCreate, RolePatch } from './schemas.ts';

const mostRoles = 50;

export const createRole = (deps: Deps, principal: Principal, body: RoleCreate): Promise<RoleRow> =>
  inTransaction(deps.db, async (db) => {
    refuseBeyond(principal, body.scopes);
    refuseBuiltInName(body.name);
    if ((await listOwnRoles(db, principal.accountId)).length >= mostRoles) {
      throw new ValidationError({ non_field_errors: [`An account has at most ${mostRoles} roles of its own.`] });
    }
    const { name, description = '', scopes } = body;
    const row = await insertRole(db, principal.accountId, { name, description, scopes });
    if (!row) throw taken();
    return row;
  });

/**
 * Changes a role, and with it what its users may do: their sessions go on with the new scopes at once. Tokens that they made and
 * that may do more than they may now end.
 */
export async function changeRole(deps: Deps, principal: Principal, key: string, patch: RolePatch): Promise<RoleRow> {
  const { accountId } = principal;
  const row = await inTransaction(deps.db, (db) =>
    keepAnOwner(db, accountId, async () => {
      const role = await takeRole(db, principal, key);
      if (patch.scopes) refuseBeyond(principal, patch.scopes);
      if (patch.name !== undefined) refuseBuiltInName(patch.name);
      const changed = await updateRole(db, role, patch, timestamp(deps.clock.now())).catch(takenIfNotUnique);
      if (changed.name !== role.name) {
        await renameRoleOfUsers(db, accountId, role.name, changed.name);
        await renameRoleOfInvitations(db, accountId, role.name, changed.name);
        await renameRoleOfProviders(db, accountId, role.name, changed.name);
      }
      if (patch.scopes) await changeScopesOfUsers(db, role, changed);
      return changed;
    }),
  );
  deps.caches.forget(tokenCache);
  return row;
}

async function changeScopesOfUsers(db: Db, { account_id, scopes: from }: RoleRow, { name, scopes: to }: RoleRow) {
  const users = (await lockUsersOfRole(db, account_id, name)).map(({ uuid }) => uuid);
  if (users.length === 0) return;
  await setScopesOfUsers(db, account_id, users, from, to);
  const made = await listTokensMadeByUsers(db, account_id, users);
  const over = made.filter(({ scopes }) => scopesBeyond({ scopes: to }, scopes).length > 0);
  await deleteTokens(
    db,
    account_id,
    over.map(({ uuid }) => uuid),
  );
}

/**
 * A role that somebody has stays: they would have no scopes, or those of nobody knows what. So does one that an identity provider gives, by
 * single sign-on or by SCIM: its people could not sign in any more.
 */
export const deleteRole = (deps: Deps, principal: Principal, key: string): Promise<void> =>
  inTransaction(deps.db, async (db) => {
    const role = await takeRole(db, principal, key);
    const isHad = (await lockUsersOfRole(db, principal.accountId, role.name)).length > 0;
    if (isHad || (await isRoleInvited(db, principal.accountId, role.name, timestamp(deps.clock.now())))) {
      throw new ApiError('role_in_use');
    }
    const [provider] = await listProvidersGiving(db, principal.accountId, role.name);
    if (provider !== undefined) {
      const detail = `The identity provider ${provider} still gives this role. Change its group_roles or default_role first.`;
      throw new ApiError('role_in_use', { detail });
    }
    await deleteRoleRow(db, role);
  });

/** What a role is called and may do, for whoever is given it; it stays so until the transaction is over. */
export async function takeRoleFor(
  db: Db,
  principal: Principal,
  name: string,
): Promise<{ role: string; scopes: string[] }> {
  const role = findBuiltIn(name) ?? (await keepOwnRole(db, principal.accountId, name));
  if (!role) throw new ValidationError({ role: ['There is no such role.'] });
  const beyond = scopesBeyond(principal, role.scopes);
  if (beyond.length > 0) throw new ValidationError({ role: [`Your own token does not have: ${beyond.join(', ')}.`] });
  return { role: role.name, scopes: role.scopes };
}

/** A role of the account's own, of which the caller has every scope. */
async function takeRole(db: Db, principal: Principal, key: string): Promise<RoleRow> {
  if (findBuiltIn(key)) throw new ApiError('role_built_in');
  const role = await lockOwnRole(db, principal.accountId, key);
  if (!role) throw notFound();
  if (scopesBeyond(principal, role.scopes).length > 0) throw new ApiError('permission_denied');
  return role;
}

function refuseBuiltInName(name: string): void {
  if (findBuiltIn(name) || name.toLowerCase() === 'custom') throw taken();
}

const taken = () => new ValidationError({ name: ['A role with that name already exists.'] });

function takenIfNotUnique(error: { code?: string }): never {
  throw error.code === '23505' ? taken() : error;
}
