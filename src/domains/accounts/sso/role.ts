import type { Deps } from '../../../deps.ts';
import { type Db, inTransaction } from '../../../platform/db/connect/pool.ts';
import { ApiError } from '../../../platform/errors.ts';
import { insertAuditEntries } from '../../../platform/http/audit.ts';
import { scopesBeyond } from '../refuse-others.ts';
import { findBuiltIn } from '../roles/built-in.ts';
import { keepAnOwner } from '../roles/owners.ts';
import { keepOwnRole } from '../roles/queries.ts';
import type { Entrance } from '../sessions/sign-in.ts';
import { tokenCache } from '../tokens/authenticate.ts';
import { deleteSignInsOfUser, deleteTokens, listTokensMadeBy, lockUser, updateUser } from '../users/queries.ts';
import { SsoFailure } from './failures.ts';
import type { ProviderRow } from './queries.ts';
import type { GroupRole } from './schemas.ts';

/** The role that somebody is to have. `isFollowed`: users who are known get it, too, if they have another. */
export interface Wanted {
  role: string;
  scopes: string[];
  isFollowed: boolean;
}

/** By the groups that the provider names; undefined: none is wanted, and only users who are known are let in. */
export async function roleFor(db: Db, provider: ProviderRow, groups: string[]): Promise<Wanted | undefined> {
  const byGroup = provider.group_roles as GroupRole[];
  const name = byGroup.find(({ group }) => groups.includes(group))?.role ?? provider.default_role;
  const isFollowed = byGroup.length > 0;
  if (name === null) {
    if (!isFollowed) return undefined;
    throw new SsoFailure(
      'no_role',
      groups.length === 0
        ? `The claim ${provider.groups_claim} names no groups, and there is no default role.`
        : 'None of their groups has a role, and there is no default role.',
    );
  }
  const role = findBuiltIn(name) ?? (await keepOwnRole(db, provider.account_id, name));
  if (!role) throw new SsoFailure('no_role', `There is no role ${name} any more.`);
  return { role: role.name, scopes: role.scopes, isFollowed };
}

/**
 * Gives a user the role that the groups say. As with any other change of a role, what they are signed in with ends. The account's last
 * owner stays one, and whoever has the operator's scope keeps what they have: no group gives that.
 */
export async function followRole(
  deps: Deps,
  { accountId, uuid, wanted, entrance }: { accountId: string; uuid: string; wanted: Wanted; entrance: Entrance },
): Promise<void> {
  const change = (db: Db): Promise<void> =>
    keepAnOwner(db, accountId, async () => {
      const user = await lockUser(db, accountId, uuid);
      if (!user || user.role === wanted.role || user.scopes.includes('operator')) return;
      const { role, scopes } = wanted;
      await updateUser(db, accountId, uuid, { role, scopes });
      await deleteSignInsOfUser(db, accountId, uuid);
      const made = await listTokensMadeBy(db, accountId, uuid);
      const over = made.filter((token) => scopesBeyond({ scopes }, token.scopes).length > 0);
      await deleteTokens(
        db,
        accountId,
        over.map((token) => token.uuid),
      );
      const operation = {
        operationId: 'updateUser',
        summary: 'Change a role by single sign-on',
        method: 'PATCH',
      } as const;
      const actor = { type: 'USER', uuid, name: user.username } as const;
      await insertAuditEntries(db, [{ accountId, actor, operation, request: entrance.request, status: 200 }]);
    });
  try {
    await inTransaction(deps.db, change);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'last_owner')) throw error;
  }
  deps.caches.forget(tokenCache);
}
