const windowSeconds = 60;

export interface Allowance {
  allowed: boolean;
  limit: number;
  remaining: number;
  resetSeconds: number;
}

/**
 * Counts requests per token in fixed windows of a minute, in this process. A token that was quiet for a whole window is
 * forgotten, so memory is bounded by the tokens in use.
 */
export function makeRateLimiter(now: () => number = Date.now): (tokenId: string, limit: number) => Allowance {
  let windowStart = 0;
  let counts = new Map<string, number>();
  return (tokenId, limit) => {
    const second = Math.floor(now() / 1000);
    if (second >= windowStart + windowSeconds) {
      windowStart = second - (second % windowSeconds);
      counts = new Map();
    }
    const count = (counts.get(tokenId) ?? 0) + 1;
    counts.set(tokenId, count);
    const resetSeconds = Math.max(1, windowStart + windowSeconds - second);
    return { allowed: count <= limit, limit, remaining: Math.max(0, limit - count), resetSeconds };
  };
}

/** The two fields of draft-ietf-httpapi-ratelimit-headers: the policy and what is left of it. */
export const policyHeader = (limit: number): string => `"token";q=${limit};w=${windowSeconds}`;
export const remainingHeader = (allowance: Allowance): string =>
  `"token";r=${allowance.remaining};t=${allowance.resetSeconds}`;
