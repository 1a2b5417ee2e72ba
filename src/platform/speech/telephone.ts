import { sampleRate } from '../audio/g711.ts';

/** Brings sound of any rate to that of a telephone, piece by piece. Samples go in between −1 and 1, and come out linear 16-bit. */
export interface TelephoneFilter {
  push(samples: Float32Array): Int16Array;
  /** What is still inside. */
  end(): Int16Array;
}

// What lies above half of the new rate would come back as whistling below it, and is taken out first. Telephones carry up to
// 3,400 Hz: the filter leaves those alone and is closed at 4,000. 55 dB is beyond what µ-law resolves (38 dB).
const middleHertz = 3_700;
const slopeHertz = 600;
const stopDecibels = 55;
const beta = 0.1102 * (stopDecibels - 8.7);

export function makeTelephoneFilter(rate: number): TelephoneFilter {
  if (rate === sampleRate) return { push: toLinear, end: () => new Int16Array() };
  const shared = greatestDivisor(rate, sampleRate);
  // After each sample the reader moves on by `step / phases` of the samples that came in.
  const [phases, step] = [sampleRate / shared, rate / shared];
  const { half, weights } = makeWeights(rate, phases);
  const taps = 2 * half;
  let kept = new Float32Array(half - 1);
  let at = half - 1;
  let phase = 0;

  function push(samples: Float32Array): Int16Array {
    const input = new Float32Array(kept.length + samples.length);
    input.set(kept);
    input.set(samples, kept.length);
    const output = new Int16Array(Math.ceil((input.length * phases) / step) + 1);
    let count = 0;
    while (at + half < input.length) {
      output[count++] = linear(weigh(input, at - half + 1, weights, phase * taps, taps));
      phase += step;
      at += Math.floor(phase / phases);
      phase %= phases;
    }
    const done = Math.min(at - half + 1, input.length);
    kept = input.slice(done);
    at -= done;
    return output.subarray(0, count);
  }
  return { push, end: () => push(new Float32Array(half)) };
}

/** Four sums side by side: a processor adds them at the same time, which takes two thirds of the time. */
function weigh(input: Float32Array, from: number, weights: Float32Array, row: number, taps: number): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let tap = 0; tap < taps; tap += 4) {
    a += input[from + tap]! * weights[row + tap]!;
    b += input[from + tap + 1]! * weights[row + tap + 1]!;
    c += input[from + tap + 2]! * weights[row + tap + 2]!;
    d += input[from + tap + 3]! * weights[row + tap + 3]!;
  }
  return a + b + c + d;
}

/** The filter's weights for each place that a new sample can have between two old ones: a sinc under a Kaiser window. */
function makeWeights(rate: number, phases: number): { half: number; weights: Float32Array } {
  const cut = (2 * Math.min(middleHertz, 0.45 * rate)) / rate;
  const length = (stopDecibels - 8) / (2.285 * 2 * Math.PI * (slopeHertz / rate));
  const half = 2 * Math.ceil(length / 4);
  const weights = new Float32Array(phases * 2 * half);
  for (let phase = 0; phase < phases; phase++) {
    const row = weights.subarray(phase * 2 * half, (phase + 1) * 2 * half);
    for (let tap = 0; tap < row.length; tap++) {
      const distance = tap - half + 1 - phase / phases;
      row[tap] = cut * sinc(cut * distance) * kaiser(distance / half);
    }
    const sum = row.reduce((total, weight) => total + weight, 0);
    for (let tap = 0; tap < row.length; tap++) row[tap]! /= sum;
  }
  return { half, weights };
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

const kaiser = (x: number): number => (Math.abs(x) >= 1 ? 0 : bessel(beta * Math.sqrt(1 - x * x)) / bessel(beta));

/** The modified Bessel function of the first kind, order 0. */
function bessel(x: number): number {
  let [sum, term] = [1, 1];
  for (let n = 1; term > 1e-12 * sum; n++) {
    term *= (x / (2 * n)) ** 2;
    sum += term;
  }
  return sum;
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));

const linear = (sample: number): number => Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_767)));

function toLinear(samples: Float32Array): Int16Array {
  const output = new Int16Array(samples.length);
  for (let n = 0; n < samples.length; n++) output[n] = linear(samples[n]!);
  return output;
}
