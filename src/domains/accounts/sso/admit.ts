import type { Deps } from '../../../deps.ts';
import { type Db, inTransaction } from '../../../platform/db/connect/pool.ts';
import { ApiError } from '../../../platform/errors.ts';
import { type AuditEntry, insertAuditEntries } from '../../../platform/http/audit.ts';
import { newToken } from '../../../platform/secrets.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { deleteFactors, markAuthenticated } from '../factors/queries.ts';
import { findBuiltIn } from '../roles/built-in.ts';
import { keepOwnRole } from '../roles/queries.ts';
import { keepAnOwner, scopesBeyond } from '../roles/rights.ts';
import { listGroupsOfUsers } from '../scim/queries.ts';
import { type Entrance, type Issued, issueTo } from '../sessions/sign-in.ts';
import { tokenCache } from '../tokens/authenticate.ts';
import {
  deleteSignInsOfUser,
  deleteTokens,
  findUserAnyAccount,
  insertUser,
  listTokensMadeBy,
  lockUser,
  noteSignIn,
  type UserRow,
  updateUser,
} from '../users/queries.ts';
import type { Claims } from './callback.ts';
import {
  findIdentity,
  type IdentityRow,
  insertIdentity,
  insertSsoSession,
  listDomains,
  lockProvider,
  noteIdentity,
  type ProviderRow,
} from './queries.ts';
import type { GroupRole } from './schemas.ts';

export interface Arrival {
  provider: ProviderRow;
  claims: Claims;
  idToken: string;
  entrance: Entrance;
}

/**
 * Lets somebody in whom a provider vouches for. Who they are is the provider's subject, once it is known. The first time it is the
 * user of the same account whose name is their verified address, or a new user; never anybody of another account.
 */
export async function admit(deps: Deps, arrival: Arrival): Promise<Issued> {
  const { provider, claims, entrance } = arrival;
  const known = await findIdentity(deps.db, provider, claims.subject);
  const wanted = await roleFor(deps.db, provider, [...claims.groups, ...(await keptGroups(deps.db, arrival, known))]);
  const identity = known ?? (await introduce(deps, arrival, wanted));
  if (wanted?.isFollowed)
    await followRole(deps, { accountId: provider.account_id, uuid: identity.user_uuid, wanted, entrance });
  const now = deps.clock.now();
  const at = timestamp(now);
  const issued = await inTransaction(deps.db, async (db) => {
    const user = await noteSignIn(db, { accountId: provider.account_id, uuid: identity.user_uuid, at });
    if (!user) return undefined;
    const { hasSecondFactor: secondFactor } = claims;
    const issued = await issueTo(db, deps.clock, { user, secondFactor, kind: 'SESSION', entrance, isSso: true });
    if (issued instanceof ApiError) return issued;
    await noteIdentity(db, identity, { email: claims.email, last_sign_in: at });
    const { account_id, uuid: token_uuid } = issued.row;
    const id_token = deps.vault.seal(arrival.idToken);
    await insertSsoSession(db, { account_id, token_uuid, provider_uuid: provider.uuid, id_token });
    // Somebody who has been signed in at the provider for a day has not just proved who they are.
    const provedMs = Math.min(now.getTime(), claims.authenticatedMs ?? now.getTime());
    const proof = { at: timestamp(new Date(provedMs)), secondFactor };
    await markAuthenticated(db, { accountId: account_id, tokenId: token_uuid }, proof);
    return issued;
  });
  if (issued instanceof ApiError) throw issued;
  if (!issued) throw new SsoFailure('no_user', 'The user was deleted meanwhile.');
  return issued;
}

/** The groups that the provider keeps up to date by SCIM, for whoever has some before they first sign in, too. */
async function keptGroups(
  db: Db,
  { provider: { account_id }, claims }: Arrival,
  known: IdentityRow | undefined,
): Promise<string[]> {
  const namesake = known || !claims.isVerified ? undefined : await findUserAnyAccount(db, claims.email);
  const uuid = known?.user_uuid ?? (namesake?.account_id === account_id ? namesake.uuid : undefined);
  const groups = uuid === undefined ? [] : await listGroupsOfUsers(db, account_id, [uuid]);
  return groups.map(({ display_name }) => display_name);
}

/** Finds out who somebody is whom the provider names for the first time. Two who come at once take turns. */
const introduce = (deps: Deps, arrival: Arrival, wanted: Wanted | undefined): Promise<IdentityRow> =>
  inTransaction(deps.db, async (db) => {
    const { provider, claims } = arrival;
    if (!(await lockProvider(db, provider.account_id, provider.uuid))) {
      throw new SsoFailure('provider_disabled', 'The provider was deleted meanwhile.');
    }
    const known = await findIdentity(db, provider, claims.subject);
    if (known) return known;
    await checkAddress(db, provider, claims);
    const own = await findOwnUser(db, provider, claims.email);
    if (own && wanted?.isFollowed && scopesBeyond(own, wanted.scopes).length > 0) await forgetProofs(deps, db, own);
    const user = own ?? (await createUser(deps, db, arrival, wanted));
    const { account_id, uuid: provider_uuid } = provider;
    const identity = { account_id, provider_uuid, subject: claims.subject, user_uuid: user.uuid, email: claims.email };
    await insertAuditEntries(db, [
      entryOf(user, arrival.entrance, { operationId: 'linkIdentity', summary: 'Link a user to an identity provider' }),
    ]);
    return insertIdentity(db, identity);
  });

/**
 * Somebody made the user beforehand, and may know the password, or have a passkey. Whoever it is made for is about to be given more
 * than that somebody could give.
 */
async function forgetProofs({ passwords }: Deps, db: Db, { account_id, uuid }: UserRow): Promise<void> {
  const password_hash = await passwords.hashRandom(newToken());
  await updateUser(db, account_id, uuid, { password_hash, has_password: false });
  await deleteFactors(db, { accountId: account_id, userId: uuid });
}

/** An address that nobody checked is one that somebody chose. */
async function checkAddress(db: Db, provider: ProviderRow, { email, isVerified }: Claims): Promise<void> {
  if (!email.includes('@'))
    throw new SsoFailure('email_missing', 'The provider named no e-mail address. Ask for the scope email.');
  if (!isVerified) {
    throw new SsoFailure('email_unverified', `The provider does not say that ${email} is verified (email_verified).`);
  }
  const domains = await listDomains(db, provider.account_id, [provider.uuid]);
  const own = email.slice(email.lastIndexOf('@') + 1);
  if (domains.length > 0 && !domains.some(({ domain }) => domain === own)) {
    throw new SsoFailure('domain_refused', `${email} is of none of the provider's domains.`);
  }
}

/** Names are unique over the server: one of another account is neither taken over nor told of. */
async function findOwnUser(db: Db, { account_id }: ProviderRow, email: string): Promise<UserRow | undefined> {
  const user = await findUserAnyAccount(db, email);
  if (!user) return undefined;
  if (user.account_id === account_id) return user;
  throw new SsoFailure('name_taken', `The user name ${email} is taken by another account of this server.`);
}

const usable = /^[a-z0-9_.@+-]{1,150}$/;

async function createUser(
  { passwords }: Deps,
  db: Db,
  { provider, claims, entrance }: Arrival,
  wanted: Wanted | undefined,
): Promise<UserRow> {
  if (!provider.create_users) throw new SsoFailure('no_user', `There is no user ${claims.email}.`);
  if (!wanted)
    throw new SsoFailure('no_role', `${claims.email} is in none of the groups, and there is no default role.`);
  if (!usable.test(claims.email)) throw new SsoFailure('name_unfit', `${claims.email} cannot be a user name.`);
  const user = await insertUser(db, provider.account_id, {
    username: claims.email,
    full_name: claims.fullName,
    // Nobody knows it.
    password_hash: await passwords.hashRandom(newToken()),
    has_password: false,
    role: wanted.role,
    scopes: wanted.scopes,
  });
  if (!user) throw new SsoFailure('name_taken', `The user name ${claims.email} is taken.`);
  await insertAuditEntries(db, [
    entryOf(user, entrance, { operationId: 'createUser', summary: 'Create a user by single sign-on' }),
  ]);
  return user;
}

export const entryOf = (
  { account_id, uuid, username }: UserRow,
  { request }: Entrance,
  what: { operationId: string; summary: string },
): AuditEntry => ({
  accountId: account_id,
  actor: { type: 'USER', uuid, name: username },
  operation: { ...what, method: 'POST' },
  request,
  status: 201,
});

/** The role that somebody is to have. `isFollowed`: users who are known get it, too, if they have another. */
export interface Wanted {
  role: string;
  scopes: string[];
  isFollowed: boolean;
}

/** By the groups that the provider names; undefined: none is wanted, and only users who are known are let in. */
async function roleFor(db: Db, provider: ProviderRow, groups: string[]): Promise<Wanted | undefined> {
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
async function followRole(
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

/** Why a sign-in by a provider came to nothing: the code is in the address of the sign-in page, which says it in words. */
const ssoFailures = [
  'expired',
  'other_browser',
  'provider_disabled',
  'denied',
  'provider_error',
  'email_missing',
  'email_unverified',
  'domain_refused',
  'no_user',
  'no_role',
  'name_taken',
  'name_unfit',
  'refused',
] as const;
export type SsoFailureCode = (typeof ssoFailures)[number];

/** The message is for whoever set the provider up; it may tell of the account, and is not shown to whoever signs in. */
export class SsoFailure extends Error {
  override name = 'SsoFailure';
  readonly code: SsoFailureCode;
  constructor(code: SsoFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
