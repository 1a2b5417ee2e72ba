import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keepNewest } from './newest.ts';

const most = 1000;
const keptMs = 30_000;
const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);
const inOrder = (some: number[]): number[] => some.toSorted((one, other) => one - other);

describe('the newest of what came lately', () => {
  it('is all of it, while there is room', () => {
    const newest = keepNewest<number>(most, keptMs, () => 0);
    for (const one of numbers(0, most)) newest.add(one);
    assert.deepEqual(inOrder(newest.kept()), numbers(0, most));
    assert.equal(newest.passedOver(), 0);
  });

  it('is what came last where more came, and how many are missing is known', () => {
    const newest = keepNewest<number>(most, keptMs, () => 0);
    for (const one of numbers(0, 10 * most + 7)) newest.add(one);
    assert.deepEqual(inOrder(newest.kept()), numbers(9 * most + 7, 10 * most + 7));
    assert.equal(newest.passedOver(), 9 * most + 7);
  });

  it('reaches back by at least the time that it is to, and by twice that at most', () => {
    let nowMs = 0;
    const newest = keepNewest<number>(most, keptMs, () => nowMs);
    for (; nowMs < 100_000; nowMs += 100) {
      newest.add(nowMs);
      const kept = inOrder(newest.kept());
      assert.ok(kept[0]! >= nowMs - 2 * keptMs - 200, `${kept[0]} at ${nowMs}`);
      assert.deepEqual(
        kept.filter((at) => at > nowMs - keptMs),
        inOrder(numbers(0, nowMs / 100 + 1).map((tenth) => tenth * 100)).filter((at) => at > nowMs - keptMs),
      );
    }
    nowMs += 3 * keptMs;
    newest.add(nowMs);
    assert.deepEqual(newest.kept(), [nowMs]);
    assert.equal(newest.passedOver(), 0);
  });
});
