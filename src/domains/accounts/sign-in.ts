import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { timestamp } from '../../platform/clock.ts';
import { type Db, inTransaction } from '../../platform/db/pool.ts';
import { ValidationError } from '../../platform/errors.ts';
import { type AuditEntry, insertAuditEntries } from '../../platform/http/audit.ts';
import { throttled } from '../../platform/http/gate.ts';
import { newToken, passwordMatches, tokenHash } from '../../platform/secrets.ts';
import { insertToken, type TokenKind, type TokenRow } from './queries.ts';
import { findUserAnyAccount, markSignIn, type UserRow } from './user-queries.ts';

export const signInDays = 30;
const freeFailures = 5;
const longestBlockSeconds = 900;

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

/**
 * Exchanges a name and password for a token of that user. After five failures each further one doubles the wait for that
 * name, whether or not it exists, and an unknown name takes as long as a known one: the answer tells a stranger nothing.
 */
export async function signIn(
  deps: Deps,
  credentials: { username: string; password: string },
  kind: TokenKind,
  entrance: Entrance,
): Promise<Issued> {
  const { db } = deps;
  const username = credentials.username.toLowerCase();
  await refuseWhileBlocked(db, username);
  const user = await findUserAnyAccount(db, username);
  const matches = await passwordMatches(credentials.password, user?.password_hash ?? decoyHash);
  const issued = user && matches ? await enter(deps, user, kind, entrance) : undefined;
  if (issued) return issued;
  await noteFailure(db, username, user, entrance);
  throw new ValidationError({ non_field_errors: ['Unable to log in with provided credentials.'] });
}

/** Of no password at all: it only makes the look at an unknown name take its time. */
const decoyHash = `scrypt$16384$8$1$${'A'.repeat(22)}==$${'A'.repeat(43)}=`;

/** Gives the token, unless the password was changed while it was checked. */
const enter = ({ db, clock }: Deps, checked: UserRow, kind: TokenKind, entrance: Entrance) =>
  inTransaction(db, async (db): Promise<Issued | undefined> => {
    const user = await markSignIn(db, checked);
    if (!user) return undefined;
    await db.deleteFrom('login_failures').where('username', '=', user.username.toLowerCase()).execute();
    const secret = newToken();
    const row = await insertToken(db, user.account_id, {
      name: `${kind === 'SESSION' ? 'Session of' : 'Signed in as'} ${user.username}`,
      hash: tokenHash(secret),
      scopes: user.scopes,
      expires: timestamp(new Date(clock.now().getTime() + signInDays * 86_400_000)),
      kind,
      user_uuid: user.uuid,
    });
    await insertAuditEntries(db, [entryOf(user, entrance, 200)]);
    return { row, secret };
  });

const entryOf = ({ account_id, uuid, username }: UserRow, entrance: Entrance, status: number): AuditEntry => ({
  accountId: account_id,
  actor: { type: 'USER', uuid, name: username },
  ...entrance,
  status,
});

async function refuseWhileBlocked(db: Db, username: string): Promise<void> {
  const row = await db
    .selectFrom('login_failures')
    .select(sql<number>`ceil(extract(epoch from blocked_until - now()))::int`.as('seconds'))
    .where('username', '=', username)
    .executeTakeFirst();
  if (row && row.seconds > 0) throw throttled(row.seconds);
}

/**
 * Counts a failure, and tells the account of the user. A name that nobody has is no account's; it takes the same two
 * statements and one commit, lest the time tell which names there are.
 */
const noteFailure = (db: Db, username: string, user: UserRow | undefined, entrance: Entrance): Promise<void> =>
  inTransaction(db, async (db) => {
    await sql`
      insert into login_failures as known (username, failures, blocked_until) values (${username}, 1, now())
      on conflict (username) do update set
        failures = known.failures + 1,
        blocked_until = case when known.failures + 1 < ${freeFailures} then now()
          else now() + make_interval(secs => least(${longestBlockSeconds}, power(2, least(known.failures + 1 - ${freeFailures}, 20)))) end
    `.execute(db);
    await insertAuditEntries(db, user ? [entryOf(user, entrance, 400)] : []);
  });
