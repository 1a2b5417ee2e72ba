import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { History, PaceMark } from '../logs/queries.ts';
import { paceOf, rateHistoryOf, withMark, withSpan } from './pace.ts';

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

const minuteMs = 60_000;
const nothing: History = { minutes: 1, marks: [] };
const rates = (history: History, left: number) => rateHistoryOf(history, left).map(({ per_minute }) => per_minute);

describe('the history of a rate', () => {
  it('is what left in each minute, those included in which nothing did', () => {
    let history = withSpan(nothing, 5_000, 0);
    history = withSpan(history, 50_000, 40);
    history = withSpan(history, 65_000, 60);
    history = withSpan(history, 4 * minuteMs, 100);
    assert.deepEqual(rateHistoryOf(history, 100), [
      { at: '1970-01-01T00:00:00.000000Z', per_minute: 40 },
      { at: '1970-01-01T00:01:00.000000Z', per_minute: 20 },
      { at: '1970-01-01T00:02:00.000000Z', per_minute: 0 },
      { at: '1970-01-01T00:03:00.000000Z', per_minute: 0 },
      { at: '1970-01-01T00:04:00.000000Z', per_minute: 40 },
    ]);
    assert.deepEqual(rates(history, 107), [40, 20, 0, 0, 47], 'what has left since counts in the last');
  });

  it('never has more than 120 points, and loses no message', () => {
    let history = nothing;
    for (let minute = 1; minute <= 1000; minute++) {
      history = withSpan(history, minute * minuteMs, minute * 6);
      assert.ok(rates(history, minute * 6).length <= 120, String(minute));
      assert.ok(history.marks.length <= 120);
    }
    const sum = rates(history, 6000).reduce((total, each) => total + each * history.minutes, 0);
    assert.equal(Math.round(sum), 6000);
    // A pause of a year.
    history = withSpan(history, 526_600 * minuteMs, 6001);
    assert.ok(rates(history, 6001).length <= 120);
  });

  it('is empty before anything is known', () => {
    assert.deepEqual(rateHistoryOf(nothing, 9), []);
  });
});
