/** How many requests a source that belongs to no trunk may send. */
export interface Limiter {
  /** Whether one more is within the limit; it is counted. */
  allows(source: string): boolean;
}

/** Sources that are remembered; beyond, all that are not share one measure, so that a flood of made-up sources is one source. */
const mostSources = 10_000;
const shared = '*';

/** A bucket per source: `burst` at once, then `perSecond`. Full buckets are forgotten, for they say nothing. */
export function makeLimiter(options: { burst: number; perSecond: number; nowMs(): number }): Limiter {
  const { burst, perSecond, nowMs } = options;
  const buckets = new Map<string, { left: number; atMs: number }>();
  let sweptMs = nowMs();

  function refill(bucket: { left: number; atMs: number }, now: number): void {
    bucket.left = Math.min(burst, bucket.left + ((now - bucket.atMs) / 1000) * perSecond);
    bucket.atMs = now;
  }

  function sweep(now: number): void {
    if (now - sweptMs < 1000) return;
    sweptMs = now;
    for (const [source, bucket] of buckets) {
      refill(bucket, now);
      if (bucket.left >= burst) buckets.delete(source);
    }
  }

  return {
    allows(source) {
      const now = nowMs();
      if (buckets.size >= mostSources) sweep(now);
      const key = buckets.has(source) || buckets.size < mostSources ? source : shared;
      const bucket = buckets.get(key) ?? { left: burst, atMs: now };
      buckets.set(key, bucket);
      refill(bucket, now);
      if (bucket.left < 1) return false;
      bucket.left--;
      return true;
    },
  };
}
