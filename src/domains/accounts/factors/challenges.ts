import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { throttled } from '../../../platform/http/access/gate.ts';
import { makeRateLimiter, type RateLimiter } from '../../../platform/http/access/rate-limit.ts';
import { clientKey } from '../../../platform/http/wire/client-address.ts';
import { tokenHash } from '../../../platform/secrets.ts';
import { timestamp } from '../../../platform/time/clock.ts';

/** What a browser has to bring back: `passkey-…` to sign with a passkey, `sso` from an identity provider. */
export type ChallengeKind = 'passkey-registration' | 'passkey-sign-in' | 'sso';

const livesMs = 10 * 60_000;
/** Strangers can ask for challenges, and must not fill the disk by it. */
const perMinute = 60;

/** Networks that ask this process for something that strangers may ask for. */
export function askersFor({ running }: Pick<Deps, 'running'>, what: string): RateLimiter {
  const place = running.of<RateLimiter>(`askers for ${what}`);
  const askers = place.get() ?? makeRateLimiter();
  place.set(askers);
  return askers;
}

/** Notes what is expected to come back with `secret`; 429 for a network that asks too often. */
export async function putChallenge<T extends object>(
  deps: Pick<Deps, 'db' | 'clock' | 'running'>,
  kind: ChallengeKind,
  { secret, data, request }: { secret: string; data: T; request: FastifyRequest },
): Promise<void> {
  const { db, clock } = deps;
  const { allowed, resetSeconds } = askersFor(deps, 'challenges').count(clientKey(request.ip), perMinute);
  if (!allowed) throw throttled(resetSeconds);
  const expires = timestamp(new Date(clock.now().getTime() + livesMs));
  await db
    .insertInto('sign_in_challenges')
    .values({ hash: tokenHash(secret), kind, data: JSON.stringify(data), expires })
    .execute();
}

/** What was noted, once, and within its time. */
export async function takeChallenge<T extends object>(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  kind: ChallengeKind,
  secret: string,
): Promise<T | undefined> {
  const row = await db
    .deleteFrom('sign_in_challenges')
    .where('hash', '=', tokenHash(secret))
    .where('kind', '=', kind)
    .returning(['data', 'expires'])
    .executeTakeFirst();
  return row && Date.parse(row.expires) > clock.now().getTime() ? (row.data as T) : undefined;
}

export const purgeChallengesAnyAccount = (db: Db) =>
  db.deleteFrom('sign_in_challenges').where('expires', '<', sql<string>`now()`).execute();
