import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from './until.ts';

const counting = (): (() => number) => {
  let count = 0;
  return () => count++;
};

describe('until', () => {
  it('gives the first truthy value, or the first that holds', async () => {
    assert.equal(await until(counting()), 1);
    assert.equal(await until(counting(), (count) => count > 3), 4);
    assert.equal(await until('a number', counting()), 1);
    assert.equal(await until('a number', counting(), (count) => count > 3), 4);
  });

  it('fails in the end with what was awaited and what was seen last', async () => {
    const never = () =>
      until(
        'three answers',
        () => ({ answers: 2 }),
        ({ answers }) => answers === 3,
        1,
      );
    await assert.rejects(never, /for: three answers\nSeen last: \{ answers: 2 \}$/);
  });

  it('lets a failure to look through at once', async () => {
    const looks = counting();
    const broken = () => {
      looks();
      throw new Error('gone');
    };
    await assert.rejects(until(broken), /gone/);
    assert.equal(looks(), 1);
  });
});
