import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeHands } from './hands.ts';

describe('what a process has in hand', () => {
  const begin = () => {
    const time = { ms: 0 };
    return { time, hands: makeHands(() => time.ms) };
  };

  it('is a claim from before it is made until it is settled', () => {
    const { hands } = begin();
    const [first, second] = [hands.take(), hands.take()];
    assert.deepEqual(hands.inHand(), [first, second]);
    hands.settle(first);
    assert.deepEqual(hands.inHand(), [second]);
  });

  it('is looked over every half minute, and at every look for a minute after a failure', () => {
    const { time, hands } = begin();
    assert.equal(hands.doubts(), undefined);
    time.ms = 30_000;
    assert.deepEqual(hands.doubts(), { inHand: [], unsent: [] });
    time.ms = 32_000;
    assert.equal(hands.doubts(), undefined);
    hands.doubt();
    assert.ok(hands.doubts());
    time.ms = 91_000;
    assert.ok(hands.doubts());
    time.ms = 93_000;
    assert.equal(hands.doubts(), undefined);
  });

  it('is not a claim that failed, of which nothing has left', () => {
    const { hands } = begin();
    const claim = hands.take();
    hands.lose(claim);
    assert.deepEqual(hands.doubts(), { inHand: [], unsent: [claim] });
  });

  it('is a claim that was let go of for as long as PostgreSQL may still be busy with it', () => {
    const { time, hands } = begin();
    const claim = hands.take();
    hands.letGo(claim);
    time.ms = 4_000;
    assert.deepEqual(hands.doubts(), { inHand: [claim], unsent: [] });
    time.ms = 5_000;
    assert.deepEqual(hands.doubts(), { inHand: [], unsent: [] });
  });
});
