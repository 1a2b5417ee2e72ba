import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeGsm7 } from './gsm7.ts';
import { fillBitsAfter, packSeptets, unpackSeptets } from './septets.ts';

test('eight septets are seven octets', () => {
  assert.equal(packSeptets(encodeGsm7('hellohello')!).toString('hex'), 'e8329bfd4697d9ec37');
  assert.equal(packSeptets(encodeGsm7('12345678')!).length, 7);
});

test('behind a header, text begins at a whole septet', () => {
  assert.deepEqual([0, 6, 7, 8].map(fillBitsAfter), [0, 1, 0, 6]);
  // 0x48 ('H') behind one bit of nothing.
  assert.equal(packSeptets(encodeGsm7('H')!, fillBitsAfter(6)).toString('hex'), '90');
});

test('septets that were packed are unpacked to themselves', () => {
  const septets = fc.uint8Array({ max: 0x7f, maxLength: 170 });
  fc.assert(
    fc.property(septets, fc.nat(6), (septets, fillBits) => {
      const packed = packSeptets(septets, fillBits);
      assert.deepEqual([...unpackSeptets(packed, fillBits, septets.length)], [...septets]);
      // Without their number there may be one more, of spare bits.
      assert.deepEqual([...unpackSeptets(packed, fillBits)].slice(0, septets.length), [...septets]);
    }),
  );
});

test('octets too few for what is asked of them yield what they hold', () => {
  assert.equal(unpackSeptets(Buffer.alloc(0), 3, 10).length, 0);
  assert.equal(unpackSeptets(Buffer.alloc(7), 0, 10).length, 8);
});
