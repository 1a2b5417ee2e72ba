// Two libraries that others bill by. They agree with each other and with us unless a grapheme of several characters lies on a
// seam. We do what phones show best, and keep it whole by the rules of today's Unicode:
// - split-sms knows surrogate pairs only and cuts it, so that it never needs more parts than we do.
// - sms-segments-calculator keeps it whole, but by the rules of Unicode 10: it cuts what joined later (hearts on fire, red
//   hair, Indic conjuncts).
// - One that is longer than a part it puts into a part of its own, of more than 140 octets, which no network takes.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { clusters, kinds, textOf } from '../../../test/kit/sms/random-texts.ts';
import { segmentText } from './segment.ts';

const splitSms: { split(text: string): { characterSet: string; parts: { content: string }[] } } = createRequire(
  import.meta.url,
)('split-sms');

const ours = (text: string) => segmentText(text).segments;
const split = (text: string) => splitSms.split(text).parts.map(({ content }) => content);
const calculated = (text: string) => new SegmentedMessage(text).segmentsCount;

const gsm7 = textOf(kinds.ascii, kinds.letters, kinds.extension);
const simple = fc.oneof(
  gsm7,
  textOf(kinds.ascii, kinds.emoji),
  textOf(kinds.ideographs, kinds.emoji),
  textOf(...Object.values(kinds), fc.constant('\r\n')),
);

test('texts of single characters have the parts that split-sms gives them', () => {
  const check = (text: string) => {
    const { encoding, segments } = segmentText(text);
    assert.equal(encoding === 'GSM7' ? 'GSM' : 'Unicode', splitSms.split(text).characterSet);
    assert.deepEqual(segments, split(text));
  };
  fc.assert(fc.property(simple, check), { numRuns: 2000 });
});

test('and as many as sms-segments-calculator gives them', () => {
  fc.assert(
    fc.property(simple, (text) => {
      const { encoding, segments } = segmentText(text);
      const { encodingName, segmentsCount } = new SegmentedMessage(text);
      assert.deepEqual([segments.length, encoding === 'GSM7'], [segmentsCount, encodingName === 'GSM-7']);
    }),
    { numRuns: 700 },
  );
});

test('texts with graphemes of several characters have as many as the calculator says, and never fewer than split-sms', () => {
  const mixed = fc.oneof(textOf(clusters, kinds.ascii), textOf(clusters, kinds.emoji, kinds.ideographs));
  fc.assert(
    fc.property(mixed, (text) => {
      assert.equal(ours(text).length, calculated(text));
      assert.ok(ours(text).length >= split(text).length);
    }),
    { numRuns: 500 },
  );
});

test('the oracles differ from each other where the comment above says', () => {
  const seam = `${'漢'.repeat(66)}e\u0301${'漢'.repeat(66)}`;
  assert.deepEqual([ours(seam).length, calculated(seam), split(seam).length], [3, 3, 2]);
  const heart = `${'漢'.repeat(64)}❤️‍🔥${'漢'.repeat(65)}`;
  assert.deepEqual([ours(heart).length, calculated(heart), split(heart).length], [3, 2, 2]);
  const heap = `a${'\u0301'.repeat(99)}`;
  assert.deepEqual([ours(heap).length, split(heap).length], [2, 2]);
  assert.ok(new SegmentedMessage(heap).segments.some((segment) => segment.sizeInBits() > 140 * 8));
});
