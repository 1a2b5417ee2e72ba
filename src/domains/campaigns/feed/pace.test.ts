import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PaceMark } from '../logs/queries.ts';
import { paceOf, withMark } from './pace.ts';

describe('paceOf', () => {
  it('is what left in the last minute, from a handful of marks', () => {
    let marks: PaceMark[] = [];
    // Ten a second for two minutes, then two a second.
    const leftAt = (second: number) => (second < 120 ? second * 10 : 1200 + (second - 120) * 2);
    for (let second = 0; second <= 200; second++) {
      marks = withMark(marks, second * 1000, leftAt(second));
      assert.ok(marks.length <= 14);
      if (second === 1) assert.equal(paceOf(marks, second * 1000, leftAt(second)), 10);
    }
    assert.equal(paceOf(marks, 200_000, leftAt(200)), 2);
  });

  it('is nothing before anything is known', () => {
    assert.equal(paceOf([], 1000, 5), 0);
    assert.equal(paceOf([[1000, 5]], 1500, 9), 0);
  });
});
