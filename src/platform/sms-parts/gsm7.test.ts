import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { kinds, textOf } from '../../../test/kit/sms/random-texts.ts';
import { countSeptets } from '../sms-text/alphabet.ts';
import { decodeGsm7, encodeGsm7, fillBitsAfter, packSeptets, unpackSeptets } from './gsm7.ts';

const gsm7Text = textOf(kinds.ascii, kinds.letters, kinds.extension);

test('every septet but the escape is one character of its own, and the extension table has ten more', () => {
  const bytes = Buffer.from(Array.from({ length: 128 }, (_, septet) => septet).filter((septet) => septet !== 0x1b));
  const text = decodeGsm7(bytes);
  assert.equal(new Set(text).size, 127);
  assert.deepEqual(encodeGsm7(text), bytes);
  let extended = 0;
  for (let unit = 0; unit < 0x10000; unit++) if (encodeGsm7(String.fromCharCode(unit))?.length === 2) extended++;
  assert.equal(extended, 10);
});

test('characters have the septets of TS 23.038', () => {
  const septets = {
    '@': '00',
    $: '02',
    Ç: '09',
    '\n': '0a',
    Δ: '10',
    _: '11',
    É: '1f',
    '¡': '40',
    à: '7f',
    '€': '1b65',
  };
  for (const [character, hex] of Object.entries(septets)) assert.equal(encodeGsm7(character)?.toString('hex'), hex);
  assert.equal(encodeGsm7('^{}\\[~]|\f')?.toString('hex'), '1b141b281b291b2f1b3c1b3d1b3e1b401b0a');
});

test('a character of no table is refused: among them the small c-cedilla, the backtick and the escape itself', () => {
  for (const text of ['ç', '`', '\x1b', '\t', '’', 'ê', '日', '😀', '\ud83d', '\u20ad', '\uffff']) {
    assert.equal(encodeGsm7(text), undefined);
    assert.equal(countSeptets(`a${text}`), undefined);
  }
});

test('a text that was encoded is decoded to itself', () => {
  fc.assert(
    fc.property(gsm7Text, (text) => {
      const bytes = encodeGsm7(text)!;
      assert.equal(bytes.length, countSeptets(text));
      assert.equal(decodeGsm7(bytes), text);
    }),
  );
});

test('bytes that make no sense are read as TS 23.038 asks, none is refused', () => {
  const read = (hex: string) => decodeGsm7(Buffer.from(hex, 'hex'));
  assert.equal(read('411b'), 'A ');
  assert.equal(read('1b1b65'), ' e');
  assert.equal(read('1b41'), 'A');
  assert.equal(read('41e9'), 'Aé');
  assert.equal(read('1be9'), 'é');
  fc.assert(fc.property(fc.uint8Array(), (bytes) => assert.ok(decodeGsm7(bytes).length <= bytes.length)));
});

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
