import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { timestamp } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/pool.ts';
import { ValidationError } from '../../platform/errors.ts';
import { throttled } from '../../platform/http/gate.ts';
import { newToken, passwordMatches, tokenHash } from '../../platform/secrets.ts';
import { findUserAnyAccount, insertToken } from './queries.ts';

const tokenLifeDays = 30;
const freeFailures = 5;
const longestBlockSeconds = 900;

/**
 * Exchanges a name and password for a token. After five failures each further one doubles the wait for that name, whether or
 * not it exists, and an unknown name takes as long as a known one: the answer tells a stranger nothing.
 */
export async function signIn({ db, clock }: Deps, credentials: { username: string; password: string }) {
  const username = credentials.username.toLowerCase();
  await refuseWhileBlocked(db, username);
  const user = await findUserAnyAccount(db, username);
  const matches = await passwordMatches(credentials.password, user?.password_hash ?? decoyHash);
  if (!user || !matches) {
    await countFailure(db, username);
    throw new ValidationError({ non_field_errors: ['Unable to log in with provided credentials.'] });
  }
  await db.deleteFrom('login_failures').where('username', '=', username).execute();
  const token = newToken();
  const expires = timestamp(new Date(clock.now().getTime() + tokenLifeDays * 86_400_000));
  await insertToken(db, user.account_id, {
    name: `Signed in as ${credentials.username}`,
    hash: tokenHash(token),
    scopes: ['read', 'write'],
    expires,
  });
  return { token, expires };
}

/** Of no password at all: it only makes the look at an unknown name take its time. */
const decoyHash = `scrypt$16384$8$1$${'A'.repeat(22)}==$${'A'.repeat(43)}=`;

async function refuseWhileBlocked(db: Db, username: string): Promise<void> {
  const row = await db
    .selectFrom('login_failures')
    .select(sql<number>`ceil(extract(epoch from blocked_until - now()))::int`.as('seconds'))
    .where('username', '=', username)
    .executeTakeFirst();
  if (row && row.seconds > 0) throw throttled(row.seconds);
}

async function countFailure(db: Db, username: string): Promise<void> {
  await sql`
    insert into login_failures as known (username, failures, blocked_until) values (${username}, 1, now())
    on conflict (username) do update set
      failures = known.failures + 1,
      blocked_until = case when known.failures + 1 < ${freeFailures} then now()
        else now() + make_interval(secs => least(${longestBlockSeconds}, power(2, least(known.failures + 1 - ${freeFailures}, 20)))) end
  `.execute(db);
}
