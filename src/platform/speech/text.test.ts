import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSpeakable, piecesOf } from './text.ts';

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
