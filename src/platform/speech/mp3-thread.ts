// Makes 8 kHz µ-law of an MP3, in a thread of its own: an hour of sound takes seconds.
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { MPEGDecoder } from 'mpg123-decoder';
import { sampleRate, toUlaw } from '../audio/g711.ts';
import { findFrames } from './mp3-frames.ts';
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
