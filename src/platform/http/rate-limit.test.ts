import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRateLimiter, policyHeader, remainingHeader } from './rate-limit.ts';

test('a token has its limit per minute, and another token its own', () => {
  let nowMs = 60_000 * 1_000;
  const limiter = makeRateLimiter(() => nowMs);
  assert.deepEqual(
    [1, 2, 3].map(() => limiter('a', 2).allowed),
    [true, true, false],
  );
  assert.equal(limiter('b', 2).allowed, true);
  nowMs += 59_000;
  assert.deepEqual(limiter('a', 2), { allowed: false, limit: 2, remaining: 0, resetSeconds: 1 });
  nowMs += 1_000;
  assert.deepEqual(limiter('a', 2), { allowed: true, limit: 2, remaining: 1, resetSeconds: 60 });
});

test('the header fields have the form of the draft standard', () => {
  assert.equal(policyHeader(100), '"token";q=100;w=60');
  assert.equal(remainingHeader({ allowed: true, limit: 100, remaining: 7, resetSeconds: 30 }), '"token";r=7;t=30');
});
