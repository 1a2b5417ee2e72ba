import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/kit/characters.ts';
import { isSpeakable, passagesOf, piecesOf } from './text.ts';

test('piecesOf › sentences, in the letters that the voice knows', () => {
  assert.deepEqual(piecesOf('Hello. “Zoë’s” café – open!  Price: £3.50, or €4…'), [
    'Hello.',
    `"Zoe's" cafe , open!`,
    'Price:',
    '3.50 pounds , or 4 euros .',
  ]);
  assert.deepEqual(piecesOf(' \n\t…!? 你好 😀'), []);
  assert.deepEqual(piecesOf(''), []);
});

test('piecesOf › any text: printable ASCII, no piece and no word too long, and no letter or digit lost', () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom(' ', ', ', '. ', 'a', '1', '-'), fc.string()),
    maxLength: 2_000,
  });
  fc.assert(
    fc.property(text, (text) => {
      const pieces = piecesOf(text);
      for (const piece of pieces) {
        assert.match(piece, /^[\x20-\x7e]{1,250}$/);
        assert.ok(piece.split(' ').every((word) => word.length <= 40));
      }
      const letters = (of: string): string => of.replaceAll(/[^A-Za-z0-9]/g, '');
      if (/^[\x20-\x7e]*$/.test(text)) assert.equal(letters(pieces.join('')), letters(text));
    }),
  );
});

for (const [text, speakable] of [
  ['Hello', true],
  ['', true],
  ['  ', true],
  ['Zoë ordered 3 × crème brûlée for 12 €', true],
  ['Ærø, Łódź, Straße', true],
  ['Привет', false],
  ['Hello, Привет', false],
  ['你好', false],
  ['שלום', false],
  ['***', true],
  ['…', false],
  ['😀', false],
] as const) {
  test(`isSpeakable › ${JSON.stringify(text)}: ${speakable}`, () => assert.equal(isSpeakable(text), speakable));
}

test('passagesOf › the text as it is, without what would be a command', () => {
  assert.deepEqual(passagesOf(' Grüße,\n\u0001 Zoë! [[h@l]] 5 €\u200b\0 '), ['Grüße, Zoë! ((h@l)) 5 €']);
  assert.deepEqual(passagesOf(' \n '), []);
  const sentence = `${'слово '.repeat(50).trim()}. `;
  assert.deepEqual(passagesOf(sentence.repeat(3)), Array(3).fill(sentence.trim()));
  assert.deepEqual(
    passagesOf('好'.repeat(1_200)).map(({ length }) => length),
    [500, 500, 200],
  );
});

test('passagesOf › any text: no passage too long, and no letter lost or cut in two', () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom(' ', ', ', '. ', 'ä', '好', '。', '𝒳', '1'), fc.string({ unit: anyCharacter })),
    maxLength: 3_000,
    size: 'max',
  });
  const letters = (of: string): string => of.normalize('NFC').replaceAll(/[^\p{L}\p{N}]/gu, '');
  fc.assert(
    fc.property(text, (text) => {
      const passages = passagesOf(text);
      assert.ok(passages.every(({ length }) => length > 0 && length <= 500));
      assert.ok(passages.every((passage) => passage.isWellFormed()));
      assert.equal(letters(passages.join('')), letters(text.toWellFormed()));
    }),
    { numRuns: 50 },
  );
});
