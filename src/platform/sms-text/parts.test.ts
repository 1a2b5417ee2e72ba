import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { partsOf } from './parts.ts';
import { joinParts, readPart } from './received.ts';
import { segmentText } from './segment.ts';
import { fillBitsAfter, packSeptets } from './septets.ts';
import { clusters, kinds, textOf } from './testing.ts';

test('a text that fits one message has no header', () => {
  assert.deepEqual(partsOf(segmentText('Hi €'), 7), [
    { bytes: Buffer.from('4869201b65', 'hex'), dataCoding: 0, esmClass: 0 },
  ]);
  assert.deepEqual(partsOf(segmentText('漢😀'), 7), [
    { bytes: Buffer.from('6f22d83dde00', 'hex'), dataCoding: 8, esmClass: 0 },
  ]);
});

test('several carry the reference, their number and their place', () => {
  const headers = (referenceBits: 8 | 16, length: number) =>
    partsOf(segmentText('a'.repeat(161), { referenceBits }), 0x1234).map(({ bytes, esmClass }) => {
      assert.equal(esmClass, 0x40);
      return bytes.subarray(0, length).toString('hex');
    });
  assert.deepEqual(headers(8, 6), ['050003340201', '050003340202']);
  assert.deepEqual(headers(16, 7), ['06080412340201', '06080412340202']);
});

test('there are at most 255', () => {
  assert.equal(partsOf(segmentText('a'.repeat(255 * 153)), 1).length, 255);
  assert.throws(() => partsOf(segmentText('a'.repeat(255 * 153 + 1)), 1), RangeError);
});

/** Octets over the air: septets are packed there, behind the header. */
function octetsOf(bytes: Buffer, dataCoding: number, esmClass: number): number {
  if (dataCoding === 8) return bytes.length;
  const header = esmClass === 0x40 ? bytes[0]! + 1 : 0;
  return header + packSeptets(bytes.subarray(header), fillBitsAfter(header)).length;
}

test('no part is larger than the 140 octets of a short message, and what is sent is what is read', () => {
  const text = fc.oneof(textOf(kinds.ascii, kinds.extension), textOf(...Object.values(kinds), clusters));
  fc.assert(
    fc.property(text, fc.constantFrom(8 as const, 16 as const), fc.nat(0xffff), (text, referenceBits, reference) => {
      const parts = partsOf(segmentText(text, { referenceBits }), reference);
      const read = parts.map(({ bytes, dataCoding, esmClass }, index) => {
        assert.ok(octetsOf(bytes, dataCoding, esmClass) <= 140);
        const { body, concatenation, text } = readPart(esmClass, dataCoding, bytes);
        const expected = { reference: reference % 2 ** referenceBits, bits: referenceBits };
        const several = { ...expected, total: parts.length, sequence: index + 1 };
        assert.deepEqual(concatenation, parts.length === 1 ? undefined : several);
        return { dataCoding, body, text };
      });
      assert.equal(joinParts(read), text);
      assert.equal(read.map((part) => part.text).join(''), text);
    }),
    { numRuns: 500 },
  );
});
