import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rates } from '../../../test/kit/speech/sounds.ts';
import { rms } from '../audio/g711.ts';
import { makeTelephoneFilter } from './telephone.ts';

/** Half a second of a sine wave at half of full scale, as it comes out when it goes in by pieces. */
function filtered(rate: number, hertz: number, pieceLength = 1_000): Int16Array {
  const wave = Float32Array.from({ length: rate / 2 }, (_, n) => Math.sin((2 * Math.PI * hertz * n) / rate) / 2);
  const filter = makeTelephoneFilter(rate);
  const pieces: number[] = [];
  for (let at = 0; at < wave.length; at += pieceLength)
    pieces.push(...filter.push(wave.subarray(at, at + pieceLength)));
  return Int16Array.from([...pieces, ...filter.end()]);
}

const loudness = 0.5 / Math.SQRT2;
/** Without its ends, where the wave begins and stops. */
const inside = (samples: Int16Array): Int16Array => samples.subarray(200, -200);

for (const rate of rates) {
  test(`makeTelephoneFilter › ${rate} Hz: same length, speech as loud as before`, () => {
    for (const hertz of [300, 1_000, 3_400]) {
      const heard = filtered(rate, hertz);
      assert.ok(Math.abs(heard.length - 4_000) <= 1, `${heard.length} samples`);
      assert.ok(Math.abs(rms(inside(heard)) / loudness - 1) < 0.03, `${hertz} Hz at ${rms(inside(heard))}`);
    }
  });
}

test('makeTelephoneFilter › what a telephone cannot carry is gone, and does not come back as something else', () => {
  for (const rate of [11_025, 16_000, 22_050, 44_100, 48_000]) {
    for (const hertz of [4_100, 4_600, 5_200]) {
      assert.ok(rms(inside(filtered(rate, hertz))) < loudness / 300, `${hertz} Hz of ${rate}`);
    }
  }
});

test('makeTelephoneFilter › a wave keeps its frequency and its place, whatever the pieces', () => {
  const whole = filtered(44_100, 1_000, 1_000_000);
  for (const length of [1, 7, 441, 4_096]) assert.deepEqual(filtered(44_100, 1_000, length), whole);
  const expected = Int16Array.from({ length: 4_000 }, (_, n) => Math.sin((2 * Math.PI * 1_000 * n) / 8_000) * 16_384);
  const difference = Int16Array.from(whole.subarray(0, 4_000), (sample, n) => sample - expected[n]!);
  assert.ok(rms(inside(difference)) < 0.003);
});

test('makeTelephoneFilter › too loud is cut, not turned round', () => {
  const filter = makeTelephoneFilter(16_000);
  const heard = filter.push(new Float32Array(2_000).fill(1.5));
  assert.equal(Math.max(...heard.subarray(100)), 32_767);
  assert.ok(Math.min(...heard.subarray(100)) > 0);
});
