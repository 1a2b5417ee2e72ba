import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clusters, kinds, textOf } from '../../../test/kit/sms/random-texts.ts';
import { segmentText } from '../sms-text/index.ts';
import { fillBitsAfter, packSeptets } from './gsm7.ts';
import { joinParts, partsOf, readPart } from './parts.ts';

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

const hex = (digits: string) => Buffer.from(digits, 'hex');
const read = (dataCoding: number, digits: string, esmClass = 0) => readPart(esmClass, dataCoding, hex(digits));

test('a body is read in the alphabet that data_coding names', () => {
  for (const [dataCoding, digits, text] of [
    [0, '004869201b65', '@Hi €'],
    [1, '4869e9', 'Hié'],
    [3, '4869e9924080', 'Hié’@€'],
    [6, 'bfe0d8', 'При'],
    [7, 'f9e5ed', 'שום'],
    [8, '6f22d83dde00', '漢😀'],
    [14, 'b0a1', '가'],
    [0x10, '00', '@'],
    [0x18, '6f22', '漢'],
    [0xc8, '00', '@'],
    [0xe0, '6f22', '漢'],
    [0xf0, '00', '@'],
  ] as const) {
    const part = read(dataCoding, digits);
    assert.deepEqual([dataCoding, part.text, part.binary], [dataCoding, text, false]);
  }
});

test('what is no text, or in an alphabet nobody can name, is shown in hexadecimal', () => {
  for (const dataCoding of [2, 4, 5, 9, 10, 13, 15, 0x14, 0x1c, 0x20, 0x38, 0x40, 0xbf, 0xf4, 0xff]) {
    const part = read(dataCoding, '00ff10');
    assert.deepEqual([dataCoding, part.text, part.binary], [dataCoding, '00ff10', true]);
  }
});

test('a header says which part it is, with a reference of 8 or 16 bits, among other elements', () => {
  const part = (total: number, sequence: number) => ({ total, sequence });
  const of = (digits: string) => read(0, `${digits}4869`, 0x40);
  assert.deepEqual(of('050003ff0302').concatenation, { reference: 255, bits: 8, ...part(3, 2) });
  assert.deepEqual(of('060804ff010302').concatenation, { reference: 0xff01, bits: 16, ...part(3, 2) });
  assert.deepEqual(of('0b0504158a0000000305ff01').concatenation, { reference: 5, bits: 8, ...part(255, 1) });
  assert.deepEqual(of('0b0003010201080400070202').concatenation, { reference: 7, bits: 16, ...part(2, 2) });
  for (const digits of ['050003ff0302', '060804ff010302', '00', '0324010a']) assert.equal(of(digits).text, 'Hi');
});

test('a header that makes no sense names no part', () => {
  for (const digits of ['050003ff0300', '050003ff0304', '050003ff0000', '050004ff0302', '04000300', '0100', '00'])
    assert.equal(read(0, digits, 0x40).concatenation, undefined);
  assert.equal(read(0, '7f4869', 0x40).text, 'àHi');
  assert.equal(read(0, '050003ff0302').concatenation, undefined);
});

test('parts cut through an escape or a surrogate pair are whole again when joined', () => {
  const parts = (dataCoding: number, ...bodies: string[]) => bodies.map((body) => ({ dataCoding, body: hex(body) }));
  assert.equal(joinParts(parts(0, '411b', '6542')), 'A€B');
  assert.equal(joinParts(parts(8, '0041d83d', 'de00')), 'A😀');
  assert.equal(joinParts([...parts(0, '411b', '65'), ...parts(8, '6f22'), ...parts(0, '42')]), 'A€漢B');
  assert.equal(joinParts([]), '');
});

test('whatever comes is read to a text that a database takes', () => {
  const byte = fc.nat(0xff);
  fc.assert(
    fc.property(byte, byte, fc.uint8Array({ maxLength: 200 }), (esmClass, dataCoding, bytes) => {
      const { body, text } = readPart(esmClass, dataCoding, Buffer.from(bytes));
      assert.ok(text.isWellFormed() && !text.includes('\0'));
      assert.equal(joinParts([{ dataCoding, body }]), text);
    }),
    { numRuns: 2000 },
  );
});
