import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countSeptets } from './alphabet.ts';
import { segmentText } from './segment.ts';
import { kinds, textOf, wellFormed } from './testing.ts';

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
