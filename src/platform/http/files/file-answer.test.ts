import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRange } from './file-answer.ts';

test('one range of bytes is read as RFC 9110 has it; what makes no sense gets the whole file', () => {
  const cases: [string | undefined, number, ReturnType<typeof readRange>][] = [
    ['bytes=0-9', 100, { start: 0, end: 9 }],
    ['Bytes=0-9', 100, { start: 0, end: 9 }],
    ['bytes= 5-', 100, { start: 5, end: 99 }],
    ['bytes=90-200', 100, { start: 90, end: 99 }],
    ['bytes=-10', 100, { start: 90, end: 99 }],
    ['bytes=-1000', 100, { start: 0, end: 99 }],
    ['bytes=99-99', 100, { start: 99, end: 99 }],
    ['bytes=100-', 100, 'unsatisfiable'],
    [`bytes=${'9'.repeat(400)}-`, 100, 'unsatisfiable'],
    ['bytes=-0', 100, 'unsatisfiable'],
    ['bytes=0-', 0, 'unsatisfiable'],
    ['bytes=-5', 0, 'unsatisfiable'],
    [undefined, 100, undefined],
    ['bytes=-', 100, undefined],
    ['bytes=9-5', 100, undefined],
    ['bytes=0-4,10-14', 100, undefined],
    ['bytes=a-b', 100, undefined],
    ['items=0-4', 100, undefined],
    ['', 100, undefined],
  ];
  for (const [range, size, expected] of cases)
    assert.deepEqual(readRange(range === undefined ? {} : { range }, size), expected, `${range} of ${size}`);
  assert.equal(readRange({ range: 'bytes=0-9', 'if-range': '"tag"' }, 100), undefined);
});
