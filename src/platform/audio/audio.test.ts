import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { alawToLinear, alawToUlaw, fromUlaw, rms, toUlaw, ulawSilence, ulawToAlaw, ulawToLinear } from './g711.ts';
import { keyTone, makeTones, ringback } from './tones.ts';
import { linearSamples, makeUlawWav, mendUlawWav, openUlawWriter, readWav, ulawChannel } from './wav.ts';

const octets = Array.from({ length: 256 }, (_, octet) => octet);

async function makeDirectory(t: { after(done: () => Promise<void>): void }): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'audio-'));
  t.after(() => rm(directory, { recursive: true }));
  return directory;
}

test('G.711 › known values of both laws', () => {
  // From ITU-T G.711: silence, the loudest, and the first step.
  assert.deepEqual(
    [0xff, 0x7f, 0x80, 0x00, 0xf0, 0xef].map((octet) => ulawToLinear[octet]),
    [0, 0, 32_124, -32_124, 120, 132],
  );
  assert.deepEqual(
    [0xd5, 0x55, 0xaa, 0x2a].map((octet) => alawToLinear[octet]),
    [8, -8, 32_256, -32_256],
  );
});

test('G.711 › every µ-law octet survives the way to linear and back', () => {
  // 0x7f is minus zero, which comes back as zero.
  const expected = octets.map((octet) => (octet === 0x7f ? 0xff : octet));
  assert.deepEqual([...toUlaw(fromUlaw(Uint8Array.from(octets)))], expected);
});

test('G.711 › translation between the laws stays within one step of the coarser one', () => {
  for (const octet of octets) {
    const [ulaw, alaw] = [ulawToLinear[octet]!, alawToLinear[octet]!];
    const step = (value: number): number => Math.max(16, Math.abs(value) / 16);
    assert.ok(Math.abs(alawToLinear[ulawToAlaw[octet]!]! - ulaw) <= step(ulaw), `µ-law ${octet}`);
    assert.ok(Math.abs(ulawToLinear[alawToUlaw[octet]!]! - alaw) <= step(alaw), `A-law ${octet}`);
  }
});

test('WAV › what was written is read back, with the odd octet padded', () => {
  const file = makeUlawWav(Buffer.from([1, 2, 3]));
  assert.equal(file.length % 2, 0);
  assert.equal(file.readUInt32LE(4), file.length - 8);
  const wav = readWav(file)!;
  assert.deepEqual([wav.format, wav.channels, wav.rate, wav.seconds], [7, 1, 8_000, 3 / 8_000]);
  assert.deepEqual([...wav.data], [1, 2, 3]);
});

test('WAV › a file is readable before its end is written, and the same after', async (t) => {
  const path = join(await makeDirectory(t), 'a.wav');
  const writer = await openUlawWriter(path, 2);
  for (let n = 0; n < 10; n++) writer.write(Buffer.from([n, 100 + n]));
  while ((await stat(path)).size < 58 + 20) await new Promise(setImmediate);
  const early = readWav(await readFile(path))!;
  assert.equal(early.seconds, 10 / 8_000);
  assert.deepEqual(await writer.close(), { seconds: 10 / 8_000 });
  const whole = await readFile(path);
  assert.equal(whole.readUInt32LE(54), 20);
  assert.deepEqual([...ulawChannel(readWav(whole)!, 1)], [100, 101, 102, 103, 104, 105, 106, 107, 108, 109]);
});

test('WAV › one that a crash left is mended to whole samples; another file is left alone', async (t) => {
  const directory = await makeDirectory(t);
  const path = join(directory, 'a.wav');
  const writer = await openUlawWriter(path, 2);
  writer.write(Buffer.alloc(1_000, 5));
  await writer.close();
  await truncate(path, 58 + 501);
  assert.deepEqual(await mendUlawWav(path), { seconds: 250 / 8_000 });
  assert.equal((await readFile(path)).readUInt32LE(54), 500);
  const other = join(directory, 'b.txt');
  await writeFile(other, 'x'.repeat(100));
  assert.equal(await mendUlawWav(other), undefined);
});

test('WAV › linear 16-bit is read channel by channel, other chunks are passed over, garbage is none', () => {
  const header = Buffer.from(
    '524946460000000057415645' +
      '4c495354' +
      '03000000' +
      'aabbcc00' +
      '666d742010000000' +
      '01000200401f0000' +
      '007d0000' +
      '04001000' +
      '64617461' +
      'ffffffff',
    'hex',
  );
  const wav = readWav(Buffer.concat([header, Buffer.from([1, 0, 2, 0, 3, 0, 4, 0, 9])]))!;
  assert.deepEqual([...linearSamples(wav, 0)!], [1, 3]);
  assert.deepEqual([...linearSamples(wav, 1)!], [2, 4]);
  assert.equal(linearSamples(wav, 2), undefined);
  assert.equal(readWav(Buffer.from('RIFFxxxxWAVE')), undefined);
  assert.equal(readWav(Buffer.alloc(100)), undefined);
});

test('tones › ringing has its cadence, a key its two frequencies, and files are made once', async (t) => {
  const ringing = fromUlaw(ringback('GB'));
  assert.equal(ringing.length, 3 * 8_000);
  assert.ok(rms(ringing.subarray(0, 3_200)) > 0.1);
  assert.equal(rms(ringing.subarray(3_300, 4_700)), 0);
  assert.ok(rms(ringing.subarray(4_800, 8_000)) > 0.1);
  assert.equal(rms(ringing.subarray(8_100)), 0);

  const five = fromUlaw(keyTone('5')!);
  assert.ok(power(five, 770) > 10 * power(five, 697));
  assert.ok(power(five, 1_336) > 10 * power(five, 1_477));
  assert.equal(keyTone('x'), undefined);
  assert.equal(keyTone(''), undefined);

  const directory = await makeDirectory(t);
  const [first, second] = [await makeTones(directory), await makeTones(directory)];
  assert.deepEqual(first, second);
  assert.equal((await stat(first.voicemail.path)).size, first.voicemail.seconds * 8_000);
  assert.equal((await readdir(directory)).length, 2);
  assert.ok((await readFile(first.ringing.path)).includes(ulawSilence));
});

/** Goertzel. */
function power(samples: Int16Array, hertz: number): number {
  const factor = 2 * Math.cos((2 * Math.PI * hertz) / 8_000);
  let [before, last] = [0, 0];
  for (const sample of samples) [before, last] = [last, sample + factor * last - before];
  return before * before + last * last - factor * before * last;
}
