import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { inTransaction } from '../../../platform/db/connect/pool.ts';
import { ApiError, ValidationError } from '../../../platform/errors.ts';
import { isFromBrowser, isFromConsole, readSessionCookie } from '../../../platform/http/access/session-cookie.ts';
import { insertAuditEntries } from '../../../platform/http/audit.ts';
import { makeNetworks } from '../../../platform/networks.ts';
import { newToken, tokenHash } from '../../../platform/secrets.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { readPasskeySignIn } from '../factors/passkeys.ts';
import { refusalOf } from '../standing.ts';
import { actorOf, isOver } from '../tokens/authenticate.ts';
import { findTokenAnyAccount, insertToken, lockToken } from '../tokens/queries.ts';
import { noteSignIn } from '../users/queries.ts';
import type { SessionCreate } from './schemas.ts';
import { type Entrance, type Issued, issueTo, signIn } from './sign-in.ts';

/** Opens a session, for a person's name and password or for a token. It has a secret of its own in either case. */
export function openSession(deps: Deps, body: SessionCreate, entrance: Entrance): Promise<Issued> {
  refuseForeignPages(entrance.request);
  const { token, passkey, username = '', password = '', otp, recovery_code } = body;
  if (token !== undefined) return openWithToken(deps, token, entrance);
  if (passkey !== undefined) return openWithPasskey(deps, passkey, entrance);
  return signIn(deps, { username, password, otp, recovery_code }, 'SESSION', entrance);
}

/** A passkey that verified its user is both factors in one. */
async function openWithPasskey(deps: Deps, passkey: unknown, entrance: Entrance): Promise<Issued> {
  const { account_id, user_uuid } = await readPasskeySignIn(deps, passkey, entrance.request);
  const at = timestamp(deps.clock.now());
  const issued = await inTransaction(deps.db, async (db) => {
    const user = await noteSignIn(db, { accountId: account_id, uuid: user_uuid, at });
    return user && issueTo(db, deps.clock, { user, secondFactor: true, kind: 'SESSION', entrance });
  });
  if (issued instanceof ApiError) throw issued;
  if (!issued) throw new ValidationError({ passkey: ['This passkey was not accepted. Try again.'] });
  return issued;
}

/** A page of somebody else must not sign a visitor in as its author, who would then read what the visitor does here. */
export function refuseForeignPages(request: FastifyRequest): void {
  const isBrowser = isFromBrowser(request) || readSessionCookie(request) !== undefined;
  if (isBrowser && !isFromConsole(request)) throw new ApiError('csrf_failed');
}

/** The session may do what the token may, lives no longer, and ends when the token is revoked. */
const openWithToken = ({ db, clock }: Deps, token: string, entrance: Entrance): Promise<Issued> =>
  inTransaction(db, async (db) => {
    const given = await findTokenAnyAccount(db, tokenHash(token));
    const isGood = given?.kind === 'API' && !isOver(given, clock.now());
    // From here on nobody can revoke it without finding the session, too.
    if (!isGood || !(await lockToken(db, given.account_id, given.uuid))) {
      throw new ValidationError({ token: ['Invalid token.'] });
    }
    const refusal = refusalOf(given.status);
    if (refusal) throw refusal;
    const networks = given.allowed_networks;
    if (networks && !makeNetworks(networks).has(entrance.request.ip)) throw new ApiError('network_not_allowed');
    const usual = timestamp(new Date(clock.now().getTime() + given.session_days * 86_400_000));
    const secret = newToken();
    const row = await insertToken(db, given.account_id, {
      name: `Session of ${given.name}`,
      hash: tokenHash(secret),
      scopes: given.scopes,
      expires: given.expires && Date.parse(given.expires) < Date.parse(usual) ? given.expires : usual,
      kind: 'SESSION',
      user_uuid: given.user_uuid,
      parent: given.uuid,
      second_factor: given.second_factor,
      allowed_networks: networks,
      resources: given.resources,
    });
    const entry = { accountId: given.account_id, actor: actorOf(given), ...entrance, status: 200 };
    await insertAuditEntries(db, [entry]);
    return { row, secret };
  });
