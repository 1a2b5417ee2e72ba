import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeIds } from './ids.ts';

const decimal = (number: number): string => String(number);
const hex = (number: number): string => number.toString(16).toUpperCase().padStart(8, '0');
const numbers = Array.from({ length: 2000 }, (_, index) => index + 1);

describe('ids of one message are one id', () => {
  const centres = [
    { format: 'auto', answer: decimal, receipt: decimal },
    { format: 'auto', answer: hex, receipt: hex },
    { format: 'same', answer: hex, receipt: (number: number) => number.toString(16) },
    { format: 'decimal', answer: hex, receipt: decimal },
    { format: 'hex', answer: decimal, receipt: hex },
  ] as const;
  for (const { format, answer, receipt } of centres) {
    test(`${format}: answered ${answer(255)}, reported ${receipt(255)}`, () => {
      const ids = makeIds(format);
      // All are sent before the first receipt comes, so that every spelling of every number is somebody's.
      const taken = numbers.map((number) => ids.taken(answer(number)));
      assert.deepEqual(
        numbers.map((number) => ids.reported(receipt(number))),
        taken,
      );
    });
  }

  test('auto sees that a centre mixes bases, though small numbers could be either', () => {
    for (const [answer, receipt] of [
      [hex, decimal],
      [decimal, hex],
    ] as const) {
      const ids = makeIds('auto');
      const wrong = numbers.filter((number) => ids.taken(answer(number)) !== ids.reported(receipt(number)));
      // The first digits are the same in both bases, or prove nothing.
      assert.ok(wrong.length < 10, `${wrong.length} were wrong`);
      assert.ok(wrong.every((number) => number < 100));
    }
  });

  test('auto does not begin to doubt what it has seen often', () => {
    const ids = makeIds('auto');
    for (const number of [1201, 1202, 1203, 1204, 1205, 1206, 1207, 1208, 1209, 1210])
      assert.equal(ids.taken(decimal(number)), ids.reported(decimal(number)));
    ids.taken(decimal(0x1000));
    // Sent by a process before this one; read as hexadecimal it would be 4096, which is somebody's.
    assert.equal(ids.reported('1000'), '1000');
  });

  test('auto remembers as many as it should, and not all of them', () => {
    const known = [3, 2, 1].map((rounds) => {
      const ids = makeIds('auto', 10);
      const first = ids.taken('1000');
      for (let round = 0; round < rounds; round++) for (const number of numbers.slice(0, 10)) ids.taken(`9${number}f`);
      // The only one that is remembered decides between the bases; one that is forgotten stays as it is.
      return ids.reported(hex(1000)) === first;
    });
    assert.deepEqual(known, [false, false, true]);
  });

  test('what is no number stays as it is, without regard to case', () => {
    for (const format of ['auto', 'same', 'decimal', 'hex'] as const) {
      const ids = makeIds(format);
      const id = '7F3B4E60-1C2D-4000-8000-00000000000A';
      assert.equal(ids.taken(id), ids.reported(id.toLowerCase()));
      assert.equal(ids.reported('9'.repeat(60)), '9'.repeat(60));
    }
  });
});
