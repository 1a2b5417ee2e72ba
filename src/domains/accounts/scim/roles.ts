import type { Db } from '../../../platform/db/connect/pool.ts';
import { insertAuditEntries } from '../../../platform/http/audit.ts';
import { findBuiltIn } from '../roles/built-in.ts';
import { keepOwnRole } from '../roles/queries.ts';
import { keepAnOwner, scopesBeyond } from '../roles/rights.ts';
import type { GroupRole } from '../sso/schemas.ts';
import { deleteSignInsOfUser, deleteTokens, listTokensMadeBy, lockUser, updateUser } from '../users/queries.ts';
import { listGroupsOfUsers } from './queries.ts';
import type { Caller } from './serve.ts';

interface Rights {
  role: string | null;
  scopes: string[];
}

/** Of an account's providers, the first first: which roles groups have, and which one whoever is in none of them. */
async function mappingOf(db: Db, accountId: string): Promise<{ groupRoles: GroupRole[]; defaultRole: string | null }> {
  const providers = await db
    .selectFrom('identity_providers')
    .select(['group_roles', 'default_role'])
    .where('account_id', '=', accountId)
    .where('enabled', '=', true)
    .orderBy('uuid')
    .execute();
  return {
    groupRoles: providers.flatMap(({ group_roles }) => group_roles as GroupRole[]),
    defaultRole: providers.find(({ default_role }) => default_role !== null)?.default_role ?? null,
  };
}

/** What members of these groups may do. Roles are given by the mapping of owners alone: a group is what its provider calls it. */
export async function rightsOf(db: Db, accountId: string, groups: string[]): Promise<Rights> {
  const { groupRoles, defaultRole } = await mappingOf(db, accountId);
  const name = groupRoles.find(({ group }) => groups.includes(group))?.role ?? defaultRole;
  const role = name === null ? undefined : (findBuiltIn(name) ?? (await keepOwnRole(db, accountId, name)));
  return role ? { role: role.name, scopes: role.scopes } : { role: null, scopes: [] };
}

/**
 * Gives users whose groups have changed the role that these say, where any group has one. What they are signed in with ends with the old
 * role. Whoever has the operator's scope is left alone, and the last owner stays: 409.
 */
export async function followGroups(
  db: Db,
  { accountId, users, caller }: { accountId: string; users: string[]; caller: Caller },
): Promise<void> {
  if (users.length === 0 || (await mappingOf(db, accountId)).groupRoles.length === 0) return;
  const memberships = await listGroupsOfUsers(db, accountId, users);
  await keepAnOwner(db, accountId, async () => {
    for (const uuid of users.toSorted()) {
      const user = await lockUser(db, accountId, uuid);
      if (!user || user.scopes.includes('operator')) continue;
      const own = memberships.filter(({ user_uuid }) => user_uuid === uuid).map(({ display_name }) => display_name);
      const { role, scopes } = await rightsOf(db, accountId, own);
      if (user.role === role && role !== null) continue;
      if (user.scopes.toSorted().join() === scopes.toSorted().join()) continue;
      await updateUser(db, accountId, uuid, { role, scopes });
      await endSignIns(db, accountId, { uuid, scopes });
      const operation = { operationId: 'updateUser', summary: 'Change a role by SCIM', method: 'PATCH' } as const;
      await insertAuditEntries(db, [
        { accountId, actor: caller.actor, operation, request: caller.request, status: 200 },
      ]);
    }
  });
}

/** Ends what somebody is signed in with, and the tokens they made that may do more than `scopes`. */
export async function endSignIns(
  db: Db,
  accountId: string,
  { uuid, scopes }: { uuid: string; scopes: string[] },
): Promise<void> {
  await deleteSignInsOfUser(db, accountId, uuid);
  const made = await listTokensMadeBy(db, accountId, uuid);
  const over = made.filter((token) => scopesBeyond({ scopes }, token.scopes).length > 0);
  await deleteTokens(
    db,
    accountId,
    over.map((token) => token.uuid),
  );
}
