import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSlowDowns } from './deliver-batch.ts';

const accepted = { kind: 'accepted', carrierMessageId: 'wamid.1' } as const;
const slowed = { kind: 'retry', description: 'Too fast. (130429)', afterMs: 5_000, slowsSender: true } as const;

test('a batch that was claimed before its sender was told to slow down waits for the rest of the pause', () => {
  let now = 1_000;
  const slowDowns = makeSlowDowns(() => now);
  const claimedMs = now;
  now = 2_000;
  slowDowns.note('sender', [accepted, slowed]);
  now = 3_000;
  assert.deepEqual(slowDowns.since('sender', claimedMs), { ...slowed, afterMs: 4_000 });
  assert.equal(slowDowns.since('another', claimedMs), undefined);
  assert.equal(slowDowns.since('sender', 2_500), undefined, 'the database has let it go, knowing of the pause');
  now = 7_000;
  assert.equal(slowDowns.since('sender', claimedMs), undefined, 'the pause is over');
});

test('what puts off one message slows down nobody', () => {
  const slowDowns = makeSlowDowns();
  slowDowns.note('sender', [accepted, { kind: 'retry', description: 'Try again.', afterMs: 60_000 }]);
  assert.equal(slowDowns.since('sender', 0), undefined);
});
