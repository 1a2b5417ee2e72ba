import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { throttled } from '../../../platform/http/access/gate.ts';
import { makeTurns, NoTurn, type Turns, type Waiting } from '../../../platform/work/turns.ts';

/** Failures from one network before it has to wait; each further one doubles the wait. */
const freeFailures = 5;
const longestWaitSeconds = 900;
/** Failures of a name from everywhere, before strangers take turns of a second. */
const freeFailuresOfName = 100;
/** So many seconds of such turns may be taken ahead. */
const longestTurnSeconds = 10;
/** What is older does not count any more. */
const rememberedMinutes = 60;
const knownDays = 90;

/** Who tries: a name in lower case, from a network as `clientKey` tells it. */
export interface Attempt {
  username: string;
  network: string;
}

export interface Standing {
  /** How long this network still has to wait; 0: not at all. */
  waitSeconds: number;
  failures: number;
  /** Whether the user signed in from there lately. */
  isKnown: boolean;
  /** Whether many have guessed at this name. */
  isUnderAttack: boolean;
}

/** What is known of a name and a network; the same one statement for a name that nobody has. */
export async function findStanding(db: Db, { username, network }: Attempt): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select case when ${isBlocked} then ceil(extract(epoch from known.blocked_until - clock_timestamp()))::int else 0 end as "waitSeconds",
      coalesce(known.failures, 0) as failures,
      coalesce(everywhere.failures, 0) >= ${freeFailuresOfName} as "isUnderAttack",
      exists (select 1 from users join user_networks as theirs on theirs.account_id = users.account_id and theirs.user_uuid = users.uuid
        where lower(users.username) = ${username} and theirs.network = ${network}) as "isKnown"
    from (select) as nothing
    left join login_failures as known on known.username = ${username} and known.network = ${network} and not ${isForgotten}
    left join login_failures as everywhere on everywhere.username = ${username} and everywhere.network = ''`.execute(
    db,
  );
  return rows[0]!;
}

const isForgotten = sql`known.blocked_until < now() - make_interval(mins => ${rememberedMinutes})`;

/** By the time of the look, not that of the transaction: whom it waited for may have written a later one. A clock that was set back ends it. */
const isBlocked = sql`(known.failures >= ${freeFailures} and known.blocked_until > clock_timestamp()
  and known.blocked_until <= clock_timestamp() + make_interval(secs => ${longestWaitSeconds}))`;

/**
 * Takes the next turn of a name that is under attack: one a second, by all processes. Answers how long to wait for it, or that
 * too many wait already.
 */
export async function takeNameTurn(db: Db, username: string): Promise<{ waitMs: number } | { fullSeconds: number }> {
  const { rows } = await sql<{ ms: number }>`
    update login_failures set blocked_until = case when blocked_until > now() + interval '1 minute' then now()
      else greatest(blocked_until, now()) end + interval '1 second'
    where username = ${username} and network = ''
      and (blocked_until < now() + make_interval(secs => ${longestTurnSeconds}) or blocked_until > now() + interval '1 minute')
    returning extract(epoch from blocked_until - now() - interval '1 second')::float8 * 1000 as ms`.execute(db);
  return rows[0] ? { waitMs: Math.max(0, rows[0].ms) } : { fullSeconds: longestTurnSeconds };
}

/**
 * Counts an attempt as failed, before its password is looked at: of many at once no more are looked at than one after the other
 * would be. False: the network has to wait.
 */
export async function reserveAttempt(db: Db, { username, network }: Attempt): Promise<boolean> {
  const { rows } = await sql`
    insert into login_failures as known (username, network, failures, blocked_until)
    values (${username}, ${network}, 1, now())
    on conflict (username, network) do update set
      failures = case when ${isForgotten} then 1 else known.failures + 1 end,
      blocked_until = case when ${isForgotten} then now() else ${blockedAfter(sql`known.failures + 1`)} end
    where not ${isBlocked}
    returning failures`.execute(db);
  return rows.length > 0;
}

const blockedAfter = (failures: ReturnType<typeof sql>) => sql`
  now() + case when ${failures} < ${freeFailures} then interval '0'
    else make_interval(secs => least(${longestWaitSeconds}, power(2, least(${failures} - ${freeFailures}, 20)))) end`;

/** The attempt failed indeed: the wait begins now, and the name's failures from everywhere are one more. */
export async function noteFailure(db: Db, { username, network }: Attempt): Promise<void> {
  await sql`
    update login_failures set blocked_until = ${blockedAfter(sql`failures`)}
    where username = ${username} and network = ${network}`.execute(db);
  await sql`
    insert into login_failures as known (username, network, failures, blocked_until) values (${username}, '', 1, now())
    on conflict (username, network) do update set
      failures = case when ${isForgotten} then 1 else known.failures + 1 end,
      blocked_until = greatest(known.blocked_until, now())`.execute(db);
}

/** The attempt was neither right nor wrong: the password is right, and a code is missing. What failed before still counts. */
export async function takeBackAttempt(db: Db, { username, network }: Attempt): Promise<void> {
  await sql`
    update login_failures set failures = failures - 1
    where username = ${username} and network = ${network} and failures > 0`.execute(db);
}

/** Whoever is signed in has proved who they are: what failed from there before is forgiven. */
export async function forgetFailures(db: Db, { username, network }: Attempt): Promise<void> {
  await db.deleteFrom('login_failures').where('username', '=', username).where('network', '=', network).execute();
}

/** It was the user: what failed from there before is forgiven, and the network is known from now on. */
export async function noteSuccess(
  db: Db,
  accountId: string,
  userUuid: string,
  { username, network }: Attempt,
): Promise<void> {
  await forgetFailures(db, { username, network });
  await sql`
    insert into user_networks (account_id, user_uuid, network, last_sign_in)
    values (${accountId}, ${userUuid}, ${network}, now())
    on conflict (account_id, user_uuid, network) do update set last_sign_in = excluded.last_sign_in`.execute(db);
}

/** Forgets failures that do not count any more, and networks that nobody came from for long. */
export async function purgeSignInsAnyAccount(db: Db): Promise<void> {
  await sql`delete from login_failures where blocked_until < now() - make_interval(mins => ${rememberedMinutes})`.execute(
    db,
  );
  await sql`delete from user_networks where last_sign_in < now() - make_interval(days => ${knownDays})`.execute(db);
}

/** Forgets what failed under the names of an account's users. */
export async function forgetGuesses(db: Db, accountId: string): Promise<void> {
  await sql`
    delete from login_failures using users
    where users.account_id = ${accountId} and login_failures.username = lower(users.username)`.execute(db);
}

/** Whoever has a new password need not wait for what others tried with the old one. */
export async function forgetGuessesOf(db: Db, username: string): Promise<void> {
  await db.deleteFrom('login_failures').where('username', '=', username.toLowerCase()).execute();
}

/** A hash takes 128 MiB, and one of the process's four threads, which files and host names are looked up with as well. */
const hashing = { atOnce: 2, mostWaiting: 40, waitMs: 30_000 };
const busySeconds = 5;

function turnsOf({ running }: Pick<Deps, 'running'>): Turns {
  const place = running.of<Turns>('turns to hash');
  const turns = place.get() ?? makeTurns(hashing);
  place.set(turns);
  return turns;
}

/** Runs work that hashes a password when it is its turn, of all in this process; 429 for whoever does not get one. */
export async function inHashTurn<T>(deps: Pick<Deps, 'running'>, waiting: Waiting, work: () => Promise<T>): Promise<T> {
  try {
    return await turnsOf(deps)(waiting, work);
  } catch (error) {
    throw error instanceof NoTurn ? throttled(busySeconds) : error;
  }
}
