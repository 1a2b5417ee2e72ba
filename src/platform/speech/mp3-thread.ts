// Makes 8 kHz µ-law of an MP3, in a thread of its own: an hour of sound takes seconds.
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { MPEGDecoder } from 'mpg123-decoder';
import { sampleRate, toUlaw } from '../audio/g711.ts';
import { makeTelephoneFilter, type TelephoneFilter } from './telephone.ts';
import type { FromThread } from './thread.ts';

export interface Mp3Task {
  from: string;
  to: string;
  mostSeconds: number;
}

const chunkLength = 16 * 1024;

parentPort!.on('message', async (task: Mp3Task) => {
  parentPort!.postMessage(await convert(task));
});

async function convert({ from, to, mostSeconds }: Mp3Task): Promise<FromThread<{ seconds: number }>> {
  const frames = findFrames(readFileSync(from));
  if (!frames) return { refusal: 'This is not an MP3 file.' };
  if (frames.seconds > mostSeconds) return { refusal: `Audio can have at most ${mostSeconds / 60} minutes.` };
  const target = openSync(to, 'wx', 0o600);
  let written = 0;
  try {
    for await (const samples of decode(frames.runs)) written += writeSync(target, toUlaw(samples));
    fsyncSync(target);
  } finally {
    closeSync(target);
  }
  return written === 0 ? { refusal: 'There is no sound in this file.' } : { value: { seconds: written / sampleRate } };
}

async function* decode(runs: Uint8Array[]): AsyncGenerator<Int16Array> {
  const decoder = new MPEGDecoder();
  await decoder.ready;
  let filter: { rate: number; filter: TelephoneFilter } | undefined;
  for (const run of runs) {
    for (let at = 0; at < run.length; at += chunkLength) {
      const { channelData, sampleRate: rate, samplesDecoded } = decoder.decode(run.subarray(at, at + chunkLength));
      if (samplesDecoded === 0) continue;
      // Files that were put together of several may change their rate.
      if (filter && filter.rate !== rate) yield filter.filter.end();
      if (filter?.rate !== rate) filter = { rate, filter: makeTelephoneFilter(rate) };
      yield filter.filter.push(mixDown(channelData));
    }
  }
  if (filter) yield filter.filter.end();
  decoder.free();
}

function mixDown([left, right]: Float32Array[]): Float32Array {
  if (right) for (let n = 0; n < left!.length; n++) left![n] = (left![n]! + right[n]!) / 2;
  return left!;
}

/**
 * The frames of an MP3 (ISO/IEC 11172-3 and 13818-3, layer III), found by their headers. Tags and whatever else stands between
 * them is passed over, so that the decoder sees nothing but frames.
 */

interface Header {
  /** In bytes, header included. */
  length: number;
  rate: number;
  /** In each channel. */
  samples: number;
}

const kilobits1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const kilobits2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
/** By the two bits of the version: 2.5, reserved, 2, 1. */
const rates = [[11_025, 12_000, 8_000], [], [22_050, 24_000, 16_000], [44_100, 48_000, 32_000]];

function readHeader(bytes: Uint8Array, at: number): Header | undefined {
  if (at + 4 > bytes.length || bytes[at] !== 0xff) return undefined;
  const [second, third] = [bytes[at + 1]!, bytes[at + 2]!];
  // Eleven bits of synchronisation, and layer III.
  if ((second & 0xe6) !== 0xe2) return undefined;
  const version = (second >> 3) & 3;
  const rate = rates[version]![(third >> 2) & 3];
  const kilobits = (version === 3 ? kilobits1 : kilobits2)[third >> 4];
  // 0 is free format, which no encoder writes unless it is asked to.
  if (!rate || !kilobits) return undefined;
  const samples = version === 3 ? 1_152 : 576;
  return { length: Math.floor(((samples / 8) * kilobits * 1000) / rate) + ((third >> 1) & 1), rate, samples };
}

/** ID3v2: ten bytes of header, the length in seven bits of each of the last four. */
function tagLength(bytes: Uint8Array, at: number): number {
  const isTag = bytes[at] === 0x49 && bytes[at + 1] === 0x44 && bytes[at + 2] === 0x33;
  if (!isTag || at + 10 > bytes.length) return 0;
  const footer = bytes[at + 5]! & 0x10 ? 10 : 0;
  const [a, b, c, d] = bytes.subarray(at + 6, at + 10);
  return 10 + footer + ((a! & 127) << 21) + ((b! & 127) << 14) + ((c! & 127) << 7) + (d! & 127);
}

export interface Frames {
  /** Parts of the file that are nothing but frames. */
  runs: Uint8Array[];
  seconds: number;
}

/** undefined where most of the file is something else. A last frame that is cut off is left out. */
function findFrames(bytes: Uint8Array): Frames | undefined {
  const frames: Frames = { runs: [], seconds: 0 };
  let [known, strange] = [0, 0];
  for (let at = 0; at < bytes.length; ) {
    const run = readRun(bytes, at);
    if (run) {
      frames.runs.push(bytes.subarray(at, run.end));
      frames.seconds += run.seconds;
      known += run.end - at;
      at = run.end;
      continue;
    }
    const tag = tagLength(bytes, at);
    if (tag === 0) strange++;
    at += Math.max(1, tag);
  }
  return known > strange ? frames : undefined;
}

/** Frames of one rate. Four bytes can look like a header by chance; hardly with another where the next one is due. */
function readRun(bytes: Uint8Array, at: number): { end: number; seconds: number } | undefined {
  const first = readHeader(bytes, at);
  if (!first) return undefined;
  let end = at;
  let seconds = 0;
  let header: Header | undefined = first;
  while (header?.rate === first.rate && end + header.length <= bytes.length) {
    end += header.length;
    seconds += header.samples / header.rate;
    header = readHeader(bytes, end);
  }
  const isWhole = at === 0 && end === bytes.length;
  const isFollowed = end > at + first.length || header?.rate === first.rate;
  return end > at && (isWhole || isFollowed) ? { end, seconds } : undefined;
}
