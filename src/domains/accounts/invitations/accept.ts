import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { type Db, inTransaction } from '../../../platform/db/connect/pool.ts';
import { ApiError, notFound, ValidationError } from '../../../platform/errors.ts';
import { throttled } from '../../../platform/http/access/gate.ts';
import { type AuditEntry, insertAuditEntries } from '../../../platform/http/audit.ts';
import { clientKey } from '../../../platform/http/wire/client-address.ts';
import { tokenHash } from '../../../platform/secrets.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { findBuiltIn } from '../roles/built-in.ts';
import { keepOwnRole } from '../roles/queries.ts';
import { findStanding, forgetGuessesOf, inHashTurn, noteFailure, reserveAttempt } from '../sessions/guesses.ts';
import { refusalOf } from '../standing.ts';
import { tokenCache } from '../tokens/authenticate.ts';
import {
  deleteSignInsOfUser,
  deleteTokens,
  findUserAnyAccount,
  insertUser,
  listTokensMadeBy,
  lockUser,
  type UserRow,
  updateUser,
} from '../users/queries.ts';
import { refuseWeakPassword } from '../users/schemas.ts';
import { acceptInvitation, findInvitationAnyAccount, type KnownInvitation } from './queries.ts';
import type { InvitationAccept } from './schemas.ts';

/** No username has a space: unknown secrets are counted by themselves. */
const guessing = ' invitation';

/** What a link is for; 404 for one that is unknown, used or over, and 429 for whoever tries many. */
export async function findInvited(
  { db, clock }: Deps,
  secret: string,
  request: FastifyRequest,
): Promise<KnownInvitation> {
  const attempt = { username: guessing, network: clientKey(request.ip) };
  const { waitSeconds } = await findStanding(db, attempt);
  if (waitSeconds > 0) throw throttled(waitSeconds);
  const found = await findInvitationAnyAccount(db, tokenHash(secret));
  if (found && !found.accepted && Date.parse(found.expires) > clock.now().getTime()) {
    const refusal = refusalOf(found.account_status);
    if (refusal) throw refusal;
    return found;
  }
  if (await reserveAttempt(db, attempt)) await noteFailure(db, attempt);
  throw notFound();
}

/** Makes the user that a link invites, or gives the user of a reset the new password. They sign in with it as everybody does. */
export async function accept(
  deps: Deps,
  body: InvitationAccept,
  { operation, request }: Pick<AuditEntry, 'operation'> & { request: FastifyRequest },
): Promise<UserRow> {
  const invited = await findInvited(deps, body.secret, request);
  const username = invited.username ?? body.username;
  if (username === undefined) throw new ValidationError({ username: ['This field is required.'] });
  refuseWeakPassword(username, body.password);
  if (!invited.user_uuid && (await findUserAnyAccount(deps.db, username))) throw taken();
  const password_hash = await inHashTurn(deps, { key: clientKey(request.ip) }, () =>
    deps.passwords.hash(body.password),
  );
  const user = await inTransaction(deps.db, async (db) => {
    if (!(await acceptInvitation(db, invited, timestamp(deps.clock.now())))) throw notFound();
    const user = invited.user_uuid
      ? await setPassword(db, invited.account_id, invited.user_uuid, password_hash)
      : await makeUser(db, invited, { username, password_hash, full_name: body.full_name ?? '' });
    const actor = { type: 'USER' as const, uuid: user.uuid, name: user.username };
    await insertAuditEntries(db, [{ accountId: user.account_id, actor, operation, request, status: 200 }]);
    return user;
  });
  deps.caches.forget(tokenCache);
  return user;
}

async function makeUser(
  db: Db,
  { account_id, role: name }: KnownInvitation,
  person: Pick<UserRow, 'username' | 'password_hash' | 'full_name'>,
): Promise<UserRow> {
  const role = findBuiltIn(name!) ?? (await keepOwnRole(db, account_id, name!));
  if (!role) throw notFound();
  const user = await insertUser(db, account_id, { ...person, role: role.name, scopes: role.scopes });
  if (!user) throw taken();
  return user;
}

/** All that the user was signed in with ends, as with any other password. */
async function setPassword(db: Db, accountId: string, uuid: string, password_hash: string): Promise<UserRow> {
  if (!(await lockUser(db, accountId, uuid))) throw new ApiError('not_found');
  const user = await updateUser(db, accountId, uuid, { password_hash, must_change_password: false });
  await deleteSignInsOfUser(db, accountId, uuid);
  const made = await listTokensMadeBy(db, accountId, uuid);
  await deleteTokens(
    db,
    accountId,
    made.map((token) => token.uuid),
  );
  await forgetGuessesOf(db, user.username);
  return user;
}

const taken = () => new ValidationError({ username: ['A user with that username already exists.'] });
