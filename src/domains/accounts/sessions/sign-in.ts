import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { inTransaction } from '../../../platform/db/connect/pool.ts';
import { ApiError, ValidationError } from '../../../platform/errors.ts';
import { type AuditEntry, insertAuditEntries } from '../../../platform/http/audit.ts';
import { throttled } from '../../../platform/http/gate.ts';
import { clientKey } from '../../../platform/http/wire/client-address.ts';
import { newToken, tokenHash } from '../../../platform/secrets.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { pause } from '../../../platform/time/pause.ts';
import { findAccount, insertToken, type TokenKind, type TokenRow } from '../queries.ts';
import { refusalOf } from '../standing.ts';
import { findUserAnyAccount, markSignIn, type UserRow } from '../users/queries.ts';
import {
  type Attempt,
  findStanding,
  noteFailure,
  noteSuccess,
  reserveAttempt,
  type Standing,
  takeNameTurn,
} from './guess-queries.ts';
import { inHashTurn } from './hash-turn.ts';

export const signInDays = 30;

/** What the audit log says of how somebody came in. */
export interface Entrance {
  operation: AuditEntry['operation'];
  request: FastifyRequest;
}

/** A token with its secret, which is nowhere else. */
export interface Issued {
  row: TokenRow;
  secret: string;
}

interface Guess extends Attempt {
  password: string;
  kind: TokenKind;
  entrance: Entrance;
}

/**
 * Exchanges a name and password for a token of that user. After five failures each further one doubles the wait, for that name
 * from that network: nobody can keep somebody else out. An attempt counts as failed before it is looked at. An unknown name is
 * treated as a known one, and takes as long: the answer tells a stranger nothing.
 */
export async function signIn(
  deps: Deps,
  { username, password }: { username: string; password: string },
  kind: TokenKind,
  entrance: Entrance,
): Promise<Issued> {
  const { request } = entrance;
  const guess = { username: username.toLowerCase(), network: clientKey(request.ip), password, kind, entrance };
  const standing = await findStanding(deps.db, guess);
  if (standing.waitSeconds > 0) throw throttled(standing.waitSeconds);
  await waitForTurnOfName(deps, guess, standing);
  // Strangers, and those who have failed, let others go first.
  const rank = standing.failures + (standing.isKnown ? 0 : 1);
  const issued = await inHashTurn({ key: guess.network, rank }, async () => {
    const isGone = request.raw.socket?.destroyed;
    return isGone ? undefined : look(deps, guess);
  });
  if (issued) return issued;
  throw new ValidationError({ non_field_errors: ['Unable to log in with provided credentials.'] });
}

/** While many guess at a name, strangers take turns. Whoever signed in from there before need not. */
async function waitForTurnOfName({ db }: Deps, { username }: Attempt, standing: Standing): Promise<void> {
  if (!standing.isUnderAttack || standing.isKnown) return;
  const turn = await takeNameTurn(db, username);
  if ('fullSeconds' in turn) throw throttled(turn.fullSeconds);
  await pause(turn.waitMs);
}

async function look(deps: Deps, guess: Guess): Promise<Issued | undefined> {
  const { db } = deps;
  if (!(await reserveAttempt(db, guess))) throw throttled((await findStanding(db, guess)).waitSeconds || 1);
  for (;;) {
    const user = await findUserAnyAccount(db, guess.username);
    if (!(await deps.passwords.matches(guess.password, user?.password_hash)) || !user) {
      await fail(deps, guess, user);
      return undefined;
    }
    const issued = await enter(deps, guess, user);
    if (issued instanceof ApiError) throw issued;
    // Otherwise the hash is another by now: the password was changed, or its hash made anew.
    if (issued) return issued;
  }
}

/** Gives the token, unless the user's password has another hash by now, or the account may not act: only its own people are told. */
async function enter(
  { db, clock, passwords }: Deps,
  guess: Guess,
  checked: UserRow,
): Promise<Issued | ApiError | undefined> {
  const renewed = passwords.isOutdated(checked.password_hash) ? await passwords.hash(guess.password) : undefined;
  return inTransaction(db, async (db) => {
    const user = await markSignIn(db, checked, renewed);
    if (!user) return undefined;
    await noteSuccess(db, user.account_id, user.uuid, guess);
    const refusal = refusalOf((await findAccount(db, user.account_id)).status);
    if (refusal) {
      await insertAuditEntries(db, [entryOf(user, guess.entrance, 403)]);
      return refusal;
    }
    const secret = newToken();
    const row = await insertToken(db, user.account_id, {
      name: `${guess.kind === 'SESSION' ? 'Session of' : 'Signed in as'} ${user.username}`,
      hash: tokenHash(secret),
      scopes: user.scopes,
      expires: timestamp(new Date(clock.now().getTime() + signInDays * 86_400_000)),
      kind: guess.kind,
      user_uuid: user.uuid,
    });
    await insertAuditEntries(db, [entryOf(user, guess.entrance, 200)]);
    return { row, secret };
  });
}

const entryOf = ({ account_id, uuid, username }: UserRow, entrance: Entrance, status: number): AuditEntry => ({
  accountId: account_id,
  actor: { type: 'USER', uuid, name: username },
  ...entrance,
  status,
});

/**
 * Lets the wait begin, and tells the account of the user. A name that nobody has is no account's; it takes the same statements and
 * one commit, lest the time tell which names there are.
 */
const fail = ({ db }: Deps, guess: Guess, user: UserRow | undefined): Promise<void> =>
  inTransaction(db, async (db) => {
    await noteFailure(db, guess);
    await insertAuditEntries(db, user ? [entryOf(user, guess.entrance, 400)] : []);
  });
