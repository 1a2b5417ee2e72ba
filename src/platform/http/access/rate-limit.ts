import { sql } from 'kysely';
import { type Db, prepared } from '../../db/connect/pool.ts';
import type { Log } from '../../log.ts';
import { steadyMs } from '../../time/clock.ts';
import { inTime } from '../../time/pause.ts';

const windowSeconds = 60;

export interface Allowance {
  allowed: boolean;
  limit: number;
  remaining: number;
  resetSeconds: number;
}

export interface RateLimiter {
  count(key: string, limit: number): Allowance;
  /** Takes back a request that turned out not to count. */
  letOff(key: string): void;
}

/** How many keys are counted: clients that change their address with every request must not fill the memory. */
const mostKeys = 100_000;

/**
 * Counts requests per key in fixed windows of a minute, in this process; the first request after one begins the next. What was quiet
 * for a whole window is forgotten. `nowMs` is the monotonic clock: the wall clock may be set back by an hour.
 */
export function makeRateLimiter(nowMs: () => number = steadyMs): RateLimiter {
  let windowStart = Number.NEGATIVE_INFINITY;
  let counts = new Map<string, number>();
  return {
    count(key, limit) {
      const second = Math.floor(nowMs() / 1000);
      if (second >= windowStart + windowSeconds) {
        windowStart = second;
        counts = new Map();
      }
      const before = counts.get(key);
      // All counts start again. Whoever has so many addresses gains nothing by it.
      if (before === undefined && counts.size >= mostKeys) counts = new Map();
      const count = (before ?? 0) + 1;
      counts.set(key, count);
      const resetSeconds = Math.max(1, windowStart + windowSeconds - second);
      return { allowed: count <= limit, limit, remaining: Math.max(0, limit - count), resetSeconds };
    },
    letOff(key) {
      const count = counts.get(key);
      if (count !== undefined && count > 0) counts.set(key, count - 1);
    },
  };
}

/** The two fields of draft-ietf-httpapi-ratelimit-headers: the policy and what is left of it. */
export const policyHeader = (limit: number): string => `"token";q=${limit};w=${windowSeconds}`;
export const remainingHeader = (allowance: Allowance): string =>
  `"token";r=${allowance.remaining};t=${allowance.resetSeconds}`;

/**
 * Requests per account and minute, over all processes and hosts of one database. A process draws a part of what an account has left
 * and lets requests in by it, without asking again until half of it is used. An account with up to a hundred requests a minute draws
 * them one by one, so that none is left unused in another process.
 *
 *   nothing drawn ──first request──▶ drawing ──▶ has some ──half is used──▶ has some, and draws ahead
 *                                       │            └──all is used──▶ drawing
 *                                       ├──nothing is left──▶ refusing until the minute is over
 *                                       └──the database does not answer──▶ counts alone until the minute is over
 */
export interface SharedLimiter {
  /** Answers at once while what was drawn lasts. */
  count(accountId: string, limit: number): Allowance | Promise<Allowance>;
}

export type Draw = (accountId: string, wanted: { limit: number; needed: number; ahead: number }) => Promise<Drawn>;

export interface SharedLimitOptions {
  draw: Draw;
  log: Log;
  /** Milliseconds of a clock that is never set. */
  nowMs?: () => number;
}

const windowMs = 60_000;
/** The part of a limit that is drawn at once: a hundredth. */
const part = 100;
/** A request waits no longer than this for a draw; a draw takes less. */
const patienceMs = 1_000;
/** How many accounts are counted: more than any server has in use. */
const mostAccounts = 100_000;

interface Minute {
  endsMs: number;
  began: number;
  granted: number;
  used: number;
  /** What all processes have drawn. */
  drawn: number;
  /** With this many left or fewer, the next part is drawn: half of the last part, or none where requests are drawn one by one. */
  low: number;
  waiting: number;
  drawing: Promise<void> | undefined;
  /** The database did not answer. */
  isAlone: boolean;
}

export function makeSharedLimiter({ draw, log, nowMs = steadyMs }: SharedLimitOptions): SharedLimiter {
  const minutes = new Map<string, Minute>();
  let toldMs = Number.NEGATIVE_INFINITY;

  const minuteOf = (accountId: string): Minute => {
    const known = minutes.get(accountId);
    if (known && nowMs() < known.endsMs) return known;
    if (!known && minutes.size >= mostAccounts) minutes.clear();
    const minute = {
      endsMs: nowMs() + windowMs,
      began: 0,
      granted: 0,
      used: 0,
      drawn: 0,
      low: 0,
      waiting: 0,
      drawing: undefined,
      isAlone: false,
    };
    minutes.set(accountId, minute);
    return minute;
  };

  const drawMore = async (minute: Minute, accountId: string, limit: number): Promise<void> => {
    const wanted = { limit, needed: Math.max(1, minute.waiting), ahead: Math.floor(limit / part) };
    const askedMs = nowMs();
    try {
      const drawn = await inTime(patienceMs, () => draw(accountId, wanted));
      // By the database's clock a new minute has begun.
      if (drawn.began !== minute.began) Object.assign(minute, { began: drawn.began, granted: 0, used: 0 });
      minute.endsMs = askedMs + Math.min(windowMs, drawn.leftMs);
      minute.granted += drawn.granted;
      minute.drawn = drawn.drawn;
      minute.low = wanted.ahead > 1 ? Math.floor(Math.min(drawn.granted, wanted.ahead) / 2) : 0;
      minute.isAlone = false;
    } catch (error) {
      minute.isAlone = true;
      if (nowMs() - toldMs < windowMs) return;
      toldMs = nowMs();
      log.warn({ error: (error as Error).message }, 'Request limits are counted by this process alone for a minute');
    } finally {
      minute.drawing = undefined;
    }
  };

  const count = (accountId: string, limit: number): Allowance | Promise<Allowance> => {
    const minute = minuteOf(accountId);
    const others = minute.drawn - minute.granted;
    const left = limit - others - minute.used;
    if (left <= 0) return answer(minute, limit, false);
    const inHand = minute.granted - minute.used;
    if (inHand <= 0 && !minute.isAlone) {
      minute.waiting++;
      minute.drawing ??= Promise.resolve().then(() => drawMore(minute, accountId, limit));
      return minute.drawing.then(() => {
        minute.waiting--;
        return count(accountId, limit);
      });
    }
    minute.used++;
    if (inHand <= minute.low && minute.drawn < limit && !minute.isAlone)
      minute.drawing ??= drawMore(minute, accountId, limit);
    return answer(minute, limit, true);
  };

  const answer = (minute: Minute, limit: number, allowed: boolean): Allowance => ({
    allowed,
    limit,
    remaining: Math.max(0, limit - (minute.drawn - minute.granted) - minute.used),
    resetSeconds: Math.max(1, Math.ceil((minute.endsMs - nowMs()) / 1000)),
  });

  return { count };
}

/** What a process got of an account's requests in this minute. */
interface Drawn {
  granted: number;
  /** What all processes have drawn, this one included. */
  drawn: number;
  /** Tells one minute from the next. */
  began: number;
  leftMs: number;
}

/** A process draws at most this part of what is left, so that less and less stays unused in one process while others lack it. */
const partOfRest = 16;

/** A minute in the future began before the clock was set back. */
const isOnText = `(a.began <= excluded.began and a.began > excluded.began - interval '1 minute')`;
const grantText = `greatest(0, least($2 - a.drawn, greatest($3, least($4, ($2 - a.drawn) / ${partOfRest}))))`;

const draw = prepared<Drawn>(
  'http.draw-allowance',
  `insert into request_allowances as a (account_id, began, drawn, granted)
  select $1::uuid, clock_timestamp(), part, part from (values (least($2::bigint, greatest($3::bigint, $4::bigint)))) as first (part)
  on conflict (account_id) do update set
    began = case when ${isOnText} then a.began else excluded.began end,
    drawn = case when ${isOnText} then a.drawn + ${grantText} else excluded.drawn end,
    granted = case when ${isOnText} then ${grantText} else excluded.granted end
  returning granted, drawn, extract(epoch from began)::float8 as began,
    extract(epoch from began + interval '1 minute' - clock_timestamp())::float8 * 1000 as "leftMs"`,
);

/** Draws `needed` of `limit` requests a minute, or `ahead` if that is more and much is left. */
export async function drawAllowance(
  db: Db,
  accountId: string,
  { limit, needed, ahead }: { limit: number; needed: number; ahead: number },
): Promise<Drawn> {
  const [drawn] = await draw(db, [accountId, limit, needed, ahead]);
  return drawn!;
}

export async function purgeAllowancesAnyAccount(db: Db): Promise<void> {
  await db.deleteFrom('request_allowances').where('began', '<', sql<string>`now() - interval '1 hour'`).execute();
}
