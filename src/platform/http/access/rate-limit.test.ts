import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRateLimiter, policyHeader, remainingHeader } from './rate-limit.ts';

test('an account has its limit per minute, and another account its own', () => {
  let nowMs = 60_000 * 1_000;
  const limiter = makeRateLimiter(() => nowMs);
  const count = limiter.count;
  assert.deepEqual(
    [1, 2, 3].map(() => count('a', 2).allowed),
    [true, true, false],
  );
  assert.equal(count('b', 2).allowed, true);
  nowMs += 59_000;
  assert.deepEqual(count('a', 2), { allowed: false, limit: 2, remaining: 0, resetSeconds: 1 });
  nowMs += 1_000;
  assert.deepEqual(count('a', 2), { allowed: true, limit: 2, remaining: 1, resetSeconds: 60 });
});

test('the header fields have the form of the draft standard', () => {
  assert.equal(policyHeader(100), '"token";q=100;w=60');
  assert.equal(remainingHeader({ allowed: true, limit: 100, remaining: 7, resetSeconds: 30 }), '"token";r=7;t=30');
});

test('what turned out not to count is taken back', () => {
  const limiter = makeRateLimiter(() => 0);
  for (let n = 0; n < 10; n++) {
    assert.equal(limiter.count('a', 1).allowed, true);
    limiter.letOff('a');
  }
  limiter.letOff('nobody');
  assert.equal(limiter.count('nobody', 1).allowed, true);
});

test('a flood of keys makes all begin anew, and does not fill the process', () => {
  const limiter = makeRateLimiter(() => 0);
  limiter.count('a', 1);
  assert.equal(limiter.count('a', 1).allowed, false);
  for (let n = 0; n < 100_000; n++) limiter.count(`stranger ${n}`, 1);
  assert.equal(limiter.count('a', 1).allowed, true);
});
