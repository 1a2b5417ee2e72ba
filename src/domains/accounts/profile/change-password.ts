import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { inTransaction } from '../../../platform/db/connect/pool.ts';
import { ApiError, ValidationError } from '../../../platform/errors.ts';
import { throttled } from '../../../platform/http/access/gate.ts';
import type { Principal } from '../../../platform/http/route.ts';
import { clientKey } from '../../../platform/http/wire/client-address.ts';
import { findStanding, inHashTurn, noteFailure, noteSuccess, reserveAttempt } from '../sessions/guesses.ts';
import { tokenCache } from '../tokens/authenticate.ts';
import { deleteTokens, findUser, listTokensMadeBy, lockUser, type UserRow, updateUser } from '../users/queries.ts';
import { refuseWeakPassword } from '../users/schemas.ts';
import { deleteOtherSessionsOf } from './queries.ts';
import type { PasswordChange } from './schemas.ts';

/** The user who signed in for this request: a program's own token has no profile. */
export async function findCaller({ db }: Deps, { accountId, actor }: Principal): Promise<UserRow> {
  const user = actor?.type === 'USER' ? await findUser(db, accountId, actor.uuid) : undefined;
  if (!user) throw new ApiError('not_a_user');
  return user;
}

/**
 * Gives the caller another password, for the one of now, which is guessed at no faster here than where one signs in. All that the
 * user is signed in with ends, but for the session that asks, and so do the tokens that the user made.
 */
export async function changeOwnPassword(
  deps: Deps,
  principal: Principal,
  { current_password, new_password }: PasswordChange,
  request: FastifyRequest,
): Promise<void> {
  const user = await findCaller(deps, principal);
  refuseWeakPassword(user.username, new_password, 'new_password');
  const { account_id: accountId, uuid } = user;
  const attempt = { username: user.username.toLowerCase(), network: clientKey(request.ip) };
  const password_hash = await inHashTurn(deps, { key: accountId }, async () => {
    if (!(await reserveAttempt(deps.db, attempt))) {
      throw throttled((await findStanding(deps.db, attempt)).waitSeconds || 1);
    }
    if (await deps.passwords.matches(current_password, user.password_hash)) return deps.passwords.hash(new_password);
    await noteFailure(deps.db, attempt);
    throw new ValidationError({
      current_password: ['Your old password was entered incorrectly. Please enter it again.'],
    });
  });
  await inTransaction(deps.db, async (db) => {
    const now = await lockUser(db, accountId, uuid);
    // Somebody else changed it meanwhile.
    if (now?.password_hash !== user.password_hash) throw new ApiError('authentication_failed');
    await noteSuccess(db, accountId, uuid, attempt);
    await updateUser(db, accountId, uuid, { password_hash, must_change_password: false });
    await deleteOtherSessionsOf(db, accountId, uuid, principal.tokenId);
    const made = await listTokensMadeBy(db, accountId, uuid);
    await deleteTokens(
      db,
      accountId,
      made.map((token) => token.uuid),
    );
  });
  deps.caches.forget(tokenCache);
}
