import type { Deps } from '../../../deps.ts';
import { type Db, inTransaction } from '../../../platform/db/connect/pool.ts';
import { ApiError, notFound, ValidationError } from '../../../platform/errors.ts';
import type { Principal } from '../../../platform/http/route.ts';
import { deleteFactors } from '../factors/queries.ts';
import { takeRoleFor } from '../roles/change.ts';
import { keepAnOwner, refuseBeyond, scopesBeyond } from '../roles/rights.ts';
import { inHashTurn } from '../sessions/guesses.ts';
import { tokenCache } from '../tokens/authenticate.ts';
import {
  deleteSignInsOfUser,
  deleteTokens,
  deleteUserRow,
  hasOtherUsers,
  insertUser,
  listTokensMadeBy,
  lockUser,
  type UserRow,
  updateUser,
} from './queries.ts';
import { refuseWeakPassword, type UserCreate, type UserPatch } from './schemas.ts';

export async function createUser(deps: Deps, principal: Principal, body: UserCreate): Promise<UserRow> {
  const { username, password } = body;
  refuseWeakPassword(username, password);
  const { role, scopes = role === undefined ? ['read', 'write'] : undefined } = body;
  await rightsOf(deps.db, principal, { role, scopes });
  const password_hash = await hashInTurn(deps, principal, password);
  return inTransaction(deps.db, async (db) => {
    const rights = await rightsOf(db, principal, { role, scopes });
    const row = await insertUser(db, principal.accountId, { username, password_hash, ...rights! });
    if (!row) throw taken();
    return row;
  });
}

/** What a role or scopes give, as far as the caller may give it; undefined: neither is named. */
async function rightsOf(
  db: Db,
  principal: Principal,
  { role, scopes }: { role: string | undefined; scopes: string[] | undefined },
): Promise<{ role: string | null; scopes: string[] } | undefined> {
  if (role !== undefined && scopes) throw new ValidationError({ role: ['Give role or scopes, not both.'] });
  if (role !== undefined) return takeRoleFor(db, principal, role);
  if (scopes) refuseBeyond(principal, scopes);
  return scopes && { role: null, scopes };
}

/**
 * Another password or other scopes end what the user was given for signing in, this very session included. Tokens that the user made
 * end with the password, too, and where they may do more than the user may now.
 */
export async function changeUser(deps: Deps, principal: Principal, uuid: string, patch: UserPatch): Promise<UserRow> {
  const { password, role, scopes, ...plain } = patch;
  const check = async (db: Db): Promise<UserRow> => {
    const user = await takeUser(db, principal, uuid);
    if (password !== undefined) refuseWeakPassword(patch.username ?? user.username, password);
    return user;
  };
  // Once before it is hashed, which takes a while, and nobody is to wait for the row meanwhile.
  if (password !== undefined) await inTransaction(deps.db, check);
  const password_hash = password && (await hashInTurn(deps, principal, password));
  const change = async (db: Db): Promise<UserRow> => {
    const user = await check(db);
    const rights = await rightsOf(db, principal, { role, scopes });
    // The operator's scope is of no role; an owner who has it stays the operator.
    if (rights?.role === 'owner' && user.scopes.includes('operator')) rights.scopes = [...rights.scopes, 'operator'];
    const change = { ...plain, ...rights, ...(password_hash && { password_hash }) };
    const changed = await updateUser(db, principal.accountId, uuid, change).catch(takenIfNotUnique);
    const isSame = password === undefined && scopesEqual(user.scopes, changed.scopes);
    if (isSame) return changed;
    await deleteSignInsOfUser(db, principal.accountId, uuid);
    const made = await listTokensMadeBy(db, principal.accountId, uuid);
    const over = made.filter(({ scopes }) => password !== undefined || scopesBeyond(changed, scopes).length > 0);
    await deleteTokens(
      db,
      principal.accountId,
      over.map((token) => token.uuid),
    );
    return changed;
  };
  const row = await inTransaction(deps.db, (db) =>
    role === undefined && !scopes ? change(db) : keepAnOwner(db, principal.accountId, () => change(db)),
  );
  deps.caches.forget(tokenCache);
  return row;
}

/** A keyed request has a transaction open: while it waits, its connection is nobody else's. */
const hashInTurn = (deps: Deps, { accountId }: Principal, password: string): Promise<string> =>
  inHashTurn(deps, { key: accountId, ...(deps.db.isTransaction && { most: mostKeyed }) }, () =>
    deps.passwords.hash(password),
  );
const mostKeyed = 4;

export async function deleteUser(deps: Deps, principal: Principal, uuid: string): Promise<void> {
  await inTransaction(deps.db, async (db) => {
    // Asked first: whoever deletes somebody else at this moment holds that row, and would wait for ours.
    const isLast = !(await hasOtherUsers(db, principal.accountId, uuid));
    await takeUser(db, principal, uuid);
    if (isLast) throw new ApiError('last_user');
    await keepAnOwner(db, principal.accountId, () => deleteUserRow(db, principal.accountId, uuid));
  });
  deps.caches.forget(tokenCache);
}

/** Takes the second factors of somebody who lost them away; they sign in with the password alone, or by their provider. */
export async function resetFactors(deps: Deps, principal: Principal, uuid: string): Promise<void> {
  await inTransaction(deps.db, async (db) => {
    const { account_id: accountId } = await takeUser(db, principal, uuid);
    await deleteFactors(db, { accountId, userId: uuid });
    await deleteSignInsOfUser(db, accountId, uuid);
  });
  deps.caches.forget(tokenCache);
}

/** With the password of somebody who may do more, one could do more. */
async function takeUser(db: Db, principal: Principal, uuid: string): Promise<UserRow> {
  const user = await lockUser(db, principal.accountId, uuid);
  if (!user) throw notFound();
  if (scopesBeyond(principal, user.scopes).length > 0) throw new ApiError('permission_denied');
  return user;
}

const scopesEqual = (one: string[], other: string[]): boolean => one.toSorted().join() === other.toSorted().join();

const taken = () => new ValidationError({ username: ['A user with that username already exists.'] });

/** The unique key decides, also between two who ask at once. */
function takenIfNotUnique(error: { code?: string }): never {
  throw error.code === '23505' ? taken() : error;
}
