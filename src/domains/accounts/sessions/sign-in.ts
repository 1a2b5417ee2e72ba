import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { type Db, inTransaction } from '../../../platform/db/connect/pool.ts';
import { ApiError, ValidationError } from '../../../platform/errors.ts';
import { throttled } from '../../../platform/http/access/gate.ts';
import { type AuditEntry, insertAuditEntries } from '../../../platform/http/audit.ts';
import { clientKey } from '../../../platform/http/wire/client-address.ts';
import { newToken, tokenHash } from '../../../platform/secrets.ts';
import { type Clock, timestamp } from '../../../platform/time/clock.ts';
import { pause } from '../../../platform/time/pause.ts';
import { type Codes, checkCodes, wrongCode } from '../factors/codes.ts';
import { findAccount } from '../queries.ts';
import { refusalOf } from '../standing.ts';
import { insertToken, type TokenKind, type TokenRow } from '../tokens/queries.ts';
import { findUserAnyAccount, markSignIn, type UserRow } from '../users/queries.ts';
import {
  type Attempt,
  findStanding,
  inHashTurn,
  noteFailure,
  noteSuccess,
  reserveAttempt,
  type Standing,
  takeBackAttempt,
  takeNameTurn,
} from './guesses.ts';

const signInDays = 30;

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

export interface Credentials extends Codes {
  username: string;
  password: string;
}

interface Guess extends Attempt {
  password: string;
  codes: Codes;
  kind: TokenKind;
  entrance: Entrance;
}

/**
 * Exchanges a name and password for a token of that user. After five failures each further one doubles the wait, for that name
 * from that network: nobody can keep somebody else out. An attempt counts as failed before it is looked at. An unknown name is
 * treated as a known one, and takes as long: the answer tells a stranger nothing. Who has a second factor gives a code with them.
 */
export async function signIn(
  deps: Deps,
  { username, password, ...codes }: Credentials,
  kind: TokenKind,
  entrance: Entrance,
): Promise<Issued> {
  const { request } = entrance;
  const guess = { username: username.toLowerCase(), network: clientKey(request.ip), password, codes, kind, entrance };
  const standing = await findStanding(deps.db, guess);
  if (standing.waitSeconds > 0) throw throttled(standing.waitSeconds);
  await waitForTurnOfName(deps, guess, standing);
  // Strangers, and those who have failed, let others go first.
  const rank = standing.failures + (standing.isKnown ? 0 : 1);
  const issued = await inHashTurn(deps, { key: guess.network, rank }, async () => {
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
  // A code is accepted once, also where the password has to be looked at again.
  let secondFactor: boolean | undefined;
  for (;;) {
    const user = await findUserAnyAccount(db, guess.username);
    if (!(await deps.passwords.matches(guess.password, user?.password_hash)) || !user) {
      await fail(deps, guess, user);
      return undefined;
    }
    secondFactor ??= await passSecondFactor(deps, guess, user);
    const issued = await enter(deps, guess, { user, secondFactor });
    if (issued instanceof ApiError) throw issued;
    // Otherwise the hash is another by now: the password was changed, or its hash made anew.
    if (issued) return issued;
  }
}

/** Whether a second factor was given, where the user has one; throws when it is missing or wrong. */
async function passSecondFactor(deps: Deps, guess: Guess, user: UserRow): Promise<boolean> {
  const person = { accountId: user.account_id, userId: user.uuid };
  const checked = await checkCodes(deps, person, guess.codes).catch(async (error) => {
    await takeBackAttempt(deps.db, guess);
    throw error;
  });
  if (checked !== 'wrong') return checked === 'passed';
  await fail(deps, guess, user);
  throw wrongCode(guess.codes);
}

/** Gives the token, unless the user's password has another hash by now, or the account may not act: only its own people are told. */
async function enter(
  { db, clock, passwords }: Deps,
  guess: Guess,
  { user: checked, secondFactor }: { user: UserRow; secondFactor: boolean },
): Promise<Issued | ApiError | undefined> {
  const renewed = passwords.isOutdated(checked.password_hash) ? await passwords.hash(guess.password) : undefined;
  return inTransaction(db, async (db) => {
    const user = await markSignIn(db, checked, renewed);
    if (!user) return undefined;
    await noteSuccess(db, user.account_id, user.uuid, guess);
    return issueTo(db, clock, { user, secondFactor, kind: guess.kind, entrance: guess.entrance });
  });
}

/** Somebody who proved who they are; `isSso`: to an identity provider of the account. */
export interface Proven {
  user: UserRow;
  secondFactor: boolean;
  kind: TokenKind;
  entrance: Entrance;
  isSso?: boolean;
}

/** Gives somebody who proved who they are a token, unless their account may not act, or wants to be shown it by a provider. */
export async function issueTo(
  db: Db,
  clock: Clock,
  { user, secondFactor, kind, entrance, isSso = false }: Proven,
): Promise<Issued | ApiError> {
  const account = await findAccount(db, user.account_id);
  const needsSso = account.sso_required && !isSso && !isOwner(user);
  const refusal =
    refusalOf(account.status) ??
    (user.deactivated === null ? undefined : new ApiError('user_deactivated')) ??
    (needsSso ? new ApiError('sso_required') : undefined);
  if (refusal) {
    await insertAuditEntries(db, [entryOf(user, entrance, 403)]);
    return refusal;
  }
  const days = kind === 'SESSION' ? account.session_days : signInDays;
  const secret = newToken();
  const row = await insertToken(db, user.account_id, {
    name: `${kind === 'SESSION' ? 'Session of' : 'Signed in as'} ${user.username}`,
    hash: tokenHash(secret),
    scopes: user.scopes,
    expires: timestamp(new Date(clock.now().getTime() + days * 86_400_000)),
    kind,
    user_uuid: user.uuid,
    second_factor: secondFactor,
  });
  await insertAuditEntries(db, [entryOf(user, entrance, 200)]);
  return { row, secret };
}

/** Owners come in with a password when the provider does not work. */
const isOwner = ({ scopes }: UserRow): boolean => scopes.includes('read') && scopes.includes('write');

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
