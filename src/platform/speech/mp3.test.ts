import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { greeting, greetingSeconds, rates, silentMp3, withTag } from '../../../test/kit/speech/sounds.ts';
import { fromUlaw, rms } from '../audio/g711.ts';
import { makeSounds, type Sounds, TooBusy } from './sounds.ts';
import { Refusal } from './thread.ts';

let directory: string;
let sounds: Sounds;
before(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'parley-mp3-'));
  sounds = makeSounds(directory);
});
after(async () => {
  await sounds.close();
  await rm(directory, { recursive: true });
});

let files = 0;
async function convert(mp3: Uint8Array): Promise<{ seconds: number; samples: Int16Array }> {
  const from = path.join(directory, `${files++}.mp3`);
  await writeFile(from, mp3);
  const { seconds } = await sounds.convertMp3(from, `${from}.ulaw`);
  const samples = fromUlaw(await readFile(`${from}.ulaw`));
  assert.equal(samples.length, Math.round(seconds * 8_000));
  return { seconds, samples };
}

/** Bytes that follow no rule, the same each time. */
function makeNoise(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 0x7fffffff;
    return (state >> 8) & 0xff;
  };
}

const refused = (mp3: Uint8Array, sentence: RegExp) =>
  assert.rejects(convert(mp3), (error) => error instanceof Refusal && sentence.test(error.message));

const isAbout = (seconds: number, expected: number) =>
  assert.ok(Math.abs(seconds - expected) < 0.1, `${seconds} s instead of ${expected}`);

test('convertMp3 › speech is as long and as loud as it was', async () => {
  const { seconds, samples } = await convert(greeting);
  isAbout(seconds, greetingSeconds);
  assert.ok(rms(samples) > 0.03 && rms(samples) < 0.3, `${rms(samples)}`);
});

test('convertMp3 › every rate there is, one channel and two', async () => {
  for (const rate of rates) {
    for (const channels of [1, 2] as const) {
      const { seconds, samples } = await convert(silentMp3(rate, 2, channels));
      isAbout(seconds, 2);
      assert.equal(rms(samples), 0);
    }
  }
});

test('convertMp3 › tags are passed over, whatever they hold', async () => {
  const tagged = withTag(greeting, Buffer.concat([silentMp3(44_100, 5), Buffer.alloc(5_000, 0xff)]));
  const trailer = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 0x20)]);
  isAbout((await convert(Buffer.concat([tagged, trailer]))).seconds, greetingSeconds);
});

test('convertMp3 › files put together of several play one after the other', async () => {
  const { seconds } = await convert(Buffer.concat([greeting, silentMp3(44_100, 3), greeting]));
  isAbout(seconds / (2 * greetingSeconds + 3), 1);
});

test('convertMp3 › a file that was cut off plays as far as it goes; a piece of a frame is none', async () => {
  const { seconds } = await convert(greeting.subarray(0, greeting.length / 2));
  isAbout(seconds, greetingSeconds / 2);
  await refused(greeting.subarray(0, 60), /^This is not an MP3 file\.$/);
});

test('convertMp3 › what is no MP3 is refused', async () => {
  const pngHead = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const random = Buffer.alloc(1_000_000);
  const noise = makeNoise();
  for (let at = 0; at < random.length; at++) random[at] = noise();
  const wav = Buffer.concat([Buffer.from('RIFF____WAVEfmt '), Buffer.alloc(10_000, 0xff)]);
  const aac = Buffer.concat(Array(50).fill(Buffer.concat([Buffer.from('fff15080021ffc', 'hex'), Buffer.alloc(9)])));
  const mostlyOther = Buffer.concat([random.subarray(0, 50_000), greeting]);
  for (const file of [pngHead, random, wav, aac, mostlyOther, withTag(Buffer.alloc(0), greeting), Buffer.from('ID3')]) {
    await refused(file, /^This is not an MP3 file\.$/);
  }
});

test('convertMp3 › three quarters of an hour work without holding up anybody, more than an hour is refused', async () => {
  let turns = 0;
  const counting = setInterval(() => turns++, 5);
  const { seconds } = await convert(silentMp3(8_000, 45 * 60));
  clearInterval(counting);
  isAbout(seconds, 45 * 60);
  assert.ok(turns > 3, `the event loop turned ${turns} times`);
  await refused(silentMp3(8_000, 61 * 60), /^Audio can have at most 60 minutes\.$/);
});

test('convertMp3 › frames full of noise decode to something or are refused, and the next file is not the worse for it', async () => {
  const noisy = Buffer.from(silentMp3(44_100, 20));
  const noise = makeNoise();
  for (let at = 0; at < noisy.length; at++) if (at % 104 >= 4) noisy[at] = noise();
  await convert(noisy).catch((error) => assert.ok(error instanceof Refusal, error));
  isAbout((await convert(greeting)).seconds, greetingSeconds);
});

test('convertMp3 › a crowd is turned away before it waits for long', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 10 }, () => convert(greeting)));
  const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  assert.ok(reasons.length > 0 && reasons.length < 10);
  assert.ok(reasons.every((reason) => reason instanceof TooBusy));
});

test('convertMp3 › a missing file is an error of ours, and the thread is there for the next one', async () => {
  const missing = path.join(directory, 'missing.mp3');
  await assert.rejects(sounds.convertMp3(missing, `${missing}.ulaw`), /ENOENT/);
  isAbout((await convert(greeting)).seconds, greetingSeconds);
  assert.ok(!(await readdir(directory)).includes('missing.mp3.ulaw'));
});
