import { steadyMs } from '../time/clock.ts';

const windowSeconds = 60;

export interface Allowance {
  allowed: boolean;
  limit: number;
  remaining: number;
  resetSeconds: number;
}

export interface RateLimiter {
  count(key: string, limit: number): Allowance;
  /** Takes one back that turned out not to count. */
  letOff(key: string): void;
}

/** Strangers who change their address with every request do not fill the process. */
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
      // All begin anew: whoever has so many addresses gains nothing by it.
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
