import type { Deps } from '../../../deps.ts';
import { inTransaction } from '../../../platform/db/connect/pool.ts';
import { ValidationError } from '../../../platform/errors.ts';
import { throttled } from '../../../platform/http/access/gate.ts';
import { insertAuditEntries } from '../../../platform/http/audit.ts';
import type { Principal } from '../../../platform/http/route.ts';
import { clientKey } from '../../../platform/http/wire/client-address.ts';
import { tokenHash } from '../../../platform/secrets.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { checkCodes, wrongCode } from '../factors/codes.ts';
import { userOf } from '../factors/manage.ts';
import { readPasskeySignIn } from '../factors/passkeys.ts';
import { findFactors, hasFactor, markAuthenticated } from '../factors/queries.ts';
import { tokenCache } from '../tokens/authenticate.ts';
import { findToken } from '../tokens/queries.ts';
import type { UserRow } from '../users/queries.ts';
import { type Attempt, findStanding, forgetFailures, inHashTurn, noteFailure, reserveAttempt } from './guesses.ts';
import type { SessionConfirm } from './schemas.ts';
import type { Entrance } from './sign-in.ts';

/**
 * Lets whoever is signed in prove again that it is they, for what is sensitive: with their second factor if they have one, else with
 * the password; a session that was opened with a token, with that token. Guesses count as those of signing in do.
 */
export async function confirmSession(
  deps: Deps,
  principal: Principal,
  body: SessionConfirm,
  entrance: Entrance,
): Promise<void> {
  const isFactor =
    principal.userId === undefined
      ? await checkToken(deps, principal, body)
      : await checkPerson(deps, principal, body, entrance);
  await markAuthenticated(deps.db, principal, { at: timestamp(deps.clock.now()), secondFactor: isFactor });
  deps.caches.forget(tokenCache);
}

async function checkToken({ db }: Deps, { accountId, tokenId }: Principal, { token }: SessionConfirm): Promise<false> {
  const own = await findToken(db, accountId, tokenId);
  const opener = own?.parent ? await findToken(db, accountId, own.parent) : own;
  if (token === undefined) throw new ValidationError({ token: ['Enter the token that you signed in with.'] });
  if (opener?.hash !== tokenHash(token)) throw new ValidationError({ token: ['Invalid token.'] });
  return false;
}

/** Answers whether it was a second factor. */
async function checkPerson(
  deps: Deps,
  principal: Principal,
  body: SessionConfirm,
  entrance: Entrance,
): Promise<boolean> {
  const user = await userOf(deps.db, principal);
  if (body.passkey !== undefined) {
    const passkey = await readPasskeySignIn(deps, body.passkey, entrance.request);
    const isOwn = passkey.account_id === user.account_id && passkey.user_uuid === user.uuid;
    if (!isOwn) throw new ValidationError({ passkey: ['This passkey is not yours.'] });
    return true;
  }
  const person = { accountId: user.account_id, userId: user.uuid };
  const attempt = { username: user.username.toLowerCase(), network: clientKey(entrance.request.ip) };
  if (hasFactor(await findFactors(deps.db, person))) {
    await counted(deps, attempt, { user, entrance }, async () => {
      if ((await checkCodes(deps, person, body)) !== 'passed') throw wrongCode(body);
    });
    return true;
  }
  const { password } = body;
  if (password === undefined) throw new ValidationError({ password: ['This field is required.'] });
  await counted(deps, attempt, { user, entrance }, () =>
    inHashTurn(deps, { key: attempt.network }, async () => {
      if (await deps.passwords.matches(password, user.password_hash)) return;
      throw new ValidationError({ password: ['This is not your password.'] });
    }),
  );
  return false;
}

/** A check that counts as failed before it is looked at, as a sign-in does. */
async function counted(
  { db }: Deps,
  attempt: Attempt,
  { user, entrance }: { user: UserRow; entrance: Entrance },
  check: () => Promise<void>,
): Promise<void> {
  if (!(await reserveAttempt(db, attempt))) throw throttled((await findStanding(db, attempt)).waitSeconds || 1);
  try {
    await check();
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const actor = { type: 'USER', uuid: user.uuid, name: user.username } as const;
    await inTransaction(db, async (db) => {
      await noteFailure(db, attempt);
      await insertAuditEntries(db, [{ accountId: user.account_id, actor, ...entrance, status: 400 }]);
    });
    throw error;
  }
  await forgetFailures(db, attempt);
}
