import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { meaningOf, nextAttempt, slowDownUntil } from './attempt.ts';

const now = new Date('2026-11-15T09:00:00Z');
const secondsTo = (moment: Date | null) => (moment === null ? null : (moment.getTime() - now.getTime()) / 1000);

describe('The schedule of a delivery', () => {
  it('is 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h after each attempt, and then the end', () => {
    const seconds = Array.from({ length: 11 }, (_, place) => secondsTo(nextAttempt(place + 1, now, () => 0)));
    assert.deepEqual(seconds, [5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, null]);
  });

  it('is spread by up to a fifth', () => {
    assert.equal(secondsTo(nextAttempt(2, now, () => 0.5)), 66);
  });

  it('leaves an endpoint alone as long as it asks, a day at most', () => {
    const date = 'Sun, 15 Nov 2026 09:02:00 GMT';
    for (const [status, retryAfter, expected] of [
      [429, '30', 30],
      [503, '30', 30],
      [503, date, 120],
      [429, undefined, 5],
      [429, 'soon', 5],
      [429, '999999999999', 86_400],
      [503, 'Sun, 15 Nov 2020 09:02:00 GMT', 0],
      [502, '30', 5],
      [504, undefined, 5],
      [500, '30', null],
      [404, undefined, null],
    ] as const) {
      assert.equal(secondsTo(slowDownUntil(status, retryAfter, now)), expected, `${status} ${retryAfter}`);
    }
  });
});

describe('An answer', () => {
  const answer = (status: number, headers = {}) => meaningOf({ status, headers, text: 'body' }, 1, now);

  it('of 2xx is success, and no other is', () => {
    for (const status of [200, 201, 204, 299]) assert.equal(answer(status).succeeded, true, String(status));
    for (const status of [100, 301, 302, 307, 400, 404, 410, 429, 500]) assert.equal(answer(status).succeeded, false);
  });

  it('of 410 ends the delivery; others and none at all lead to the next attempt', () => {
    assert.equal(answer(410).nextAttempt, null);
    assert.ok(answer(500).nextAttempt);
    assert.ok(meaningOf(new Error('refused'), 1, now).nextAttempt);
    assert.equal(meaningOf(new Error('refused'), 11, now).nextAttempt, null);
  });

  it('with Retry-After puts the delivery off for at least as long', () => {
    assert.equal(secondsTo(answer(503, { 'retry-after': '600' }).nextAttempt), 600);
    assert.ok(secondsTo(answer(503, { 'retry-after': '1' }).nextAttempt)! >= 5);
  });
});
