/**
 * G.711: 8,000 samples a second of one octet each, µ-law in North America and Japan, A-law elsewhere. Everything here is kept in
 * µ-law; A-law is translated octet by octet on its way in and out.
 */

export const sampleRate = 8_000;

/** What a silent line carries, in µ-law. */
export const ulawSilence = 0xff;

const bias = 0x84;
const clip = 32_635;

/** µ-law of one linear 16-bit sample (ITU-T G.711, table 2a). */
function encodeUlaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), clip) + bias;
  const exponent = 24 - Math.clz32(magnitude);
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 15)) & 0xff;
}

function decodeUlaw(octet: number): number {
  const bits = ~octet & 0xff;
  const magnitude = ((((bits & 15) << 3) + bias) << ((bits >> 4) & 7)) - bias;
  return bits & 0x80 ? -magnitude : magnitude;
}

/** A-law of one linear 16-bit sample (table 1a); even bits are inverted on the line. */
function encodeAlaw(sample: number): number {
  const sign = sample < 0 ? 0 : 0x80;
  const magnitude = (sample < 0 ? ~sample : sample) >> 4;
  const exponent = magnitude < 16 ? 0 : 28 - Math.clz32(magnitude);
  const mantissa = exponent === 0 ? magnitude : (magnitude >> (exponent - 1)) & 15;
  return (sign | (exponent << 4) | mantissa) ^ 0x55;
}

function decodeAlaw(octet: number): number {
  const bits = octet ^ 0x55;
  const exponent = (bits >> 4) & 7;
  const mantissa = ((bits & 15) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
  return bits & 0x80 ? magnitude : -magnitude;
}

const octets = Array.from({ length: 256 }, (_, octet) => octet);

/** Linear 16-bit samples by their octet. */
export const ulawToLinear = Int16Array.from(octets, decodeUlaw);
export const alawToLinear = Int16Array.from(octets, decodeAlaw);

/** By the sample's upper 14 bits: `linearToUlaw[(sample + 32768) >> 2]`. */
const linearToUlaw = Uint8Array.from({ length: 16_384 }, (_, n) => encodeUlaw((n << 2) - 32_768 + 2));

/** Octets of one law by those of the other. */
export const ulawToAlaw = Uint8Array.from(octets, (octet) => encodeAlaw(decodeUlaw(octet)));
export const alawToUlaw = Uint8Array.from(octets, (octet) => encodeUlaw(decodeAlaw(octet)));

/** Linear 16-bit samples as µ-law. */
export function toUlaw(samples: Int16Array): Buffer {
  const encoded = Buffer.allocUnsafe(samples.length);
  for (let n = 0; n < samples.length; n++) encoded[n] = linearToUlaw[(samples[n]! + 32_768) >> 2]!;
  return encoded;
}

export function fromUlaw(encoded: Uint8Array): Int16Array {
  const samples = new Int16Array(encoded.length);
  for (let n = 0; n < encoded.length; n++) samples[n] = ulawToLinear[encoded[n]!]!;
  return samples;
}

/** How loud it is: 0 is silence, 1 the loudest square wave. */
export function rms(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return samples.length === 0 ? 0 : Math.sqrt(sum / samples.length) / 32_768;
}
