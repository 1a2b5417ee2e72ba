import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clusters, kinds, textOf, wellFormed } from '../../../test/kit/sms/random-texts.ts';
import { isSurelyBoundary, lastCut } from './graphemes.ts';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The same by the book: every grapheme of the text looked at. CR and LF may part. */
function boundariesOf(text: string): Set<number> {
  const boundaries = new Set([...segmenter.segment(text)].map(({ index }) => index));
  for (const { index } of text.matchAll(/\r\n/g)) boundaries.add(index + 1);
  return boundaries;
}

function lastBoundary(text: string, end: number): number | undefined {
  const boundaries = boundariesOf(text);
  for (let at = end; at > 0; at--) if (boundaries.has(at)) return at;
  return undefined;
}

const anyText = fc.oneof(
  textOf(...Object.values(kinds), clusters),
  textOf(kinds.emoji, clusters, fc.constantFrom('\r', '\n', '\u200d', '\ufe0f', '🏽', '🇩', '\u0600', '각', 'ᄀ', 'क्')),
  wellFormed(),
);

test('the cut is where the last whole grapheme ends, wherever the text is looked at', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 2, max: 70 }), (text, end) => {
      if (end >= text.length) return;
      const expected = lastBoundary(text, end);
      if (expected !== undefined) assert.equal(lastCut(text, 0, end), expected);
    }),
    { numRuns: 2000 },
  );
});

/** Ideographs, Hangul syllables (of two kinds, which take turns every 28), private use: of many that are alike some will do. */
const alike = [
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xe000, 0xf8ff],
] as const;

test('no character is taken for one that stands alone when it does not', () => {
  const before = ['a', '漢', '가', 'й', '❤\ufe0f', '👍🏽', '👩', '🇩🇪', '👩\u200d'];
  const after = ['a', '漢', '가', 'й', '❤', '👍'];
  for (let code = 0; code < 0x1fc00; code++) {
    // Neither surrogates nor the planes that no one is sure of.
    if ((code >= 0xd800 && code < 0xe000) || (code >= 0x10000 && code < 0x1f000)) continue;
    if (alike.some(([first, last]) => code > first && code < last && code % 29 !== 0)) continue;
    const character = String.fromCodePoint(code);
    const text = [...before.map((other) => other + character), ...after.map((other) => character + other), ''].join(
      '\n',
    );
    const sure = Array.from(text, (_, at) => at).filter((at) => at > 0 && isSurelyBoundary(text, at));
    const boundaries = boundariesOf(text);
    const wrong = sure.find((at) => !boundaries.has(at));
    assert.equal(wrong, undefined, `U+${code.toString(16)} at ${wrong} of ${JSON.stringify(text)}`);
  }
});

test('a grapheme longer than a part is cut, but not through a surrogate pair', () => {
  const marks = `a${'\u{1d165}'.repeat(100)}`;
  assert.equal(lastCut(marks, 0, 67), 67);
  assert.equal(lastCut(marks, 0, 66), 65);
});
