import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clusters, kinds, textOf, wellFormed } from '../../../test/kit/sms/random-texts.ts';
import { countSeptets } from './alphabet.ts';
import { segmentText } from './segment.ts';

const anyText = fc.oneof(
  textOf(...Object.values(kinds), clusters),
  textOf(kinds.ascii, kinds.extension),
  wellFormed(),
  fc.array(fc.nat(0xffff), { maxLength: 400 }).map((units) => String.fromCharCode(...units)),
);

for (const [name, text, encoding, parts, units] of [
  ['no text', '', 'GSM7', 1, 0],
  ['160 letters', 'a'.repeat(160), 'GSM7', 1, 160],
  ['161 letters', 'a'.repeat(161), 'GSM7', 2, 161],
  ['306 letters', 'a'.repeat(306), 'GSM7', 2, 306],
  ['307 letters', 'a'.repeat(307), 'GSM7', 3, 307],
  ['80 euros', '€'.repeat(80), 'GSM7', 1, 160],
  ['81 euros', '€'.repeat(81), 'GSM7', 2, 162],
  ['153 euros, 76 to a part', '€'.repeat(153), 'GSM7', 3, 306],
  ['70 ideographs', '漢'.repeat(70), 'UCS2', 1, 70],
  ['71 ideographs', '漢'.repeat(71), 'UCS2', 2, 71],
  ['35 emoji', '😀'.repeat(35), 'UCS2', 1, 70],
  ['36 emoji', '😀'.repeat(36), 'UCS2', 2, 72],
  ['67 emoji, 33 to a part', '😀'.repeat(67), 'UCS2', 3, 134],
  ['a small c-cedilla', 'ç', 'UCS2', 1, 1],
  ['a backtick among 70 letters', `\`${'a'.repeat(70)}`, 'UCS2', 2, 71],
] as const) {
  test(`${name}: ${encoding}, ${parts} of ${units} units`, () => {
    const segmented = segmentText(text);
    assert.deepEqual([segmented.encoding, segmented.segments.length, segmented.units], [encoding, parts, units]);
  });
}

test('the parts joined are the text, none is too large, and none but that of no text is empty', () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom(8 as const, 16 as const), (text, referenceBits) => {
      const { encoding, segments, units } = segmentText(text, { referenceBits });
      const sizeOf = (part: string) => (encoding === 'GSM7' ? countSeptets(part)! : part.length);
      assert.equal(segments.join(''), text);
      assert.equal(units, sizeOf(text));
      const sizes = { GSM7: { 0: 160, 8: 153, 16: 152 }, UCS2: { 0: 70, 8: 67, 16: 66 } };
      const largest = sizes[encoding][segments.length === 1 ? 0 : referenceBits];
      for (const segment of segments) assert.ok(sizeOf(segment) <= largest && (segment !== '' || text === ''));
    }),
    { numRuns: 1000 },
  );
});

test('a surrogate pair is never cut', () => {
  fc.assert(
    fc.property(wellFormed(60), (text) => {
      for (const segment of segmentText(text).segments) assert.ok(segment.isWellFormed());
    }),
    { numRuns: 1000 },
  );
});

test('a megabyte of whatever is cut, even of one grapheme or half a surrogate pair', () => {
  for (const piece of ['a', '€', '漢', '🇩', '\u0301\u0323', '👩\u200d', '\ud83d', '\udc00', 'e\u0301', '\r\n', '’']) {
    const text = piece.repeat(1_000_000 / piece.length);
    assert.equal(segmentText(text).segments.join(''), text);
    assert.ok(segmentText(text, { smart: true }).segments.length > 1);
  }
});

const smart = (text: string) => segmentText(text, { smart: true });

test('typographic signs become plain ones when the text is GSM-7 then', () => {
  const { encoding, segments } = smart('“It’s —\u00a0fine…”\u200b, «ok» ‹ok› 5−3 ﬁne');
  assert.deepEqual([encoding, segments], ['GSM7', ['"It\'s - fine...", "ok" \'ok\' 5-3 fine']]);
  assert.equal(segmentText('“It’s fine”').encoding, 'UCS2');
});

test('an accent that was written by itself joins its letter', () => {
  assert.deepEqual(smart('Cafe\u0301, Mu\u0308nchen, A\u030angstro\u0308m, C\u0327a').segments, [
    'Café, München, Ångström, Ça',
  ]);
  assert.equal(smart('c\u0327a').encoding, 'UCS2');
});

test('the text stays as it was when it needs UCS-2 all the same', () => {
  for (const text of ['“漢”', '‘ça’', '…😀', '1️⃣', '1½']) assert.deepEqual(smart(text), segmentText(text));
});

test('it never changes a text that is GSM-7 already, and makes every other one GSM-7 or leaves it', () => {
  const signs = fc.constantFrom(...'“”‘’–—…\u00a0\u200bﬁ•\t');
  fc.assert(
    fc.property(textOf(kinds.ascii, kinds.letters, kinds.extension, signs), (text) => {
      assert.equal(smart(text).encoding, 'GSM7');
      if (countSeptets(text) !== undefined) assert.equal(smart(text).segments.join(''), text);
    }),
  );
  fc.assert(
    fc.property(wellFormed(), (text) => {
      const { encoding, segments } = smart(text);
      if (encoding === 'UCS2') assert.equal(segments.join(''), text);
    }),
  );
});
