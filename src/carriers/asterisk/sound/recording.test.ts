import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Pair, startPair } from '../../../../test/kit/asterisk/carrier-pair.ts';
import { until } from '../../../../test/kit/until.ts';
import { ulawSilence } from '../../../platform/audio/g711.ts';
import { readWav, ulawChannel } from '../../../platform/audio/wav.ts';
import { interleave } from './interleave.ts';

let pair: Pair;
let path: string;
beforeEach(async () => {
  pair = await startPair();
  path = join(pair.directory, 'recording.wav');
});
afterEach(() => pair.close());

const answered = async () => {
  const leg = pair.dial();
  await leg.outcome;
  return leg;
};
const isRecording = (count = 1) =>
  until(
    'it records',
    () => [...pair.fake.channels.values()].filter(({ done }) => done.includes('record')).length === count,
  );

describe('Asterisk › recordings', () => {
  it('one channel for each person, in their order; the shorter one ends in silence', async () => {
    const [one, other] = [await answered(), await answered()];
    pair.fake.voiceOf = (id) => (id === one.id ? Buffer.alloc(80_000, 1) : Buffer.alloc(40_001, 2));
    const startMs = performance.now();
    const recording = pair.engine.record([one, other], { path });
    await isRecording(2);
    const { seconds } = await recording.stop();
    // The first begins when it does; what it misses of that time is silence.
    const longest = 10 + (performance.now() - startMs) / 1000;
    const wav = readWav(await readFile(path))!;
    assert.deepEqual([wav.format, wav.channels, wav.rate], [7, 2, 8_000]);
    assert.equal(wav.seconds, seconds);
    assert.ok(seconds >= 10 && seconds <= longest, `${seconds} of ${longest}`);
    const [first, second] = [ulawChannel(wav, 0), ulawChannel(wav, 1)];
    const count = (channel: Buffer, octet: number): number => channel.filter((one) => one === octet).length;
    assert.equal(count(first, 1), 80_000);
    assert.equal(count(second, 2), 40_001);
    assert.equal(count(first, 1) + count(first, ulawSilence), first.length);
    assert.equal(second.at(-1), ulawSilence);
    assert.deepEqual(await recording.stop(), { seconds });
    assert.equal(pair.fake.stored.size, 0, 'nothing is left in Asterisk');
    await until('nobody listens any more', () => pair.fake.channels.size === 2);
    assert.deepEqual(await readdir(pair.directory), ['prompt', 'recording.wav']);
  });

  it('what is played to the person does not wait until the recording is over', async () => {
    const leg = await answered();
    const recording = pair.engine.record([leg], { path });
    await isRecording();
    await leg.play(pair.sound);
    assert.equal((await recording.stop()).seconds, 0.1);
  });

  it('ends by itself: by its key, its time, or the end of the leg', async () => {
    const byKey = await answered();
    const keyed = pair.engine.record([byKey], { path, finishKey: '#' });
    await isRecording();
    pair.fake.press(pair.channelOf(byKey), '1#');
    assert.equal((await keyed.ended).seconds, 0.1);
    await until('nobody listens any more', () => pair.fake.channels.size === 1);

    const timed = pair.engine.record([byKey], { path, mostMs: 20 });
    assert.equal((await timed.ended).seconds, 0.1);
    await until('nobody listens any more', () => pair.fake.channels.size === 1);

    const left = pair.engine.record([byKey], { path });
    await isRecording();
    pair.fake.hangUp(pair.channelOf(byKey));
    assert.equal((await left.ended).seconds, 0.1);
    assert.equal(readWav(await readFile(path))!.seconds, 0.1);
  });

  it('one that cannot begin, or is lost, is told; one lost side is silent', async () => {
    const [one, other] = [await answered(), await answered()];
    pair.fake.refuse = ({ path: [, , verb] }) => (verb === 'snoop' ? 500 : undefined);
    await assert.rejects(pair.engine.record([one, other], { path }).ended, /Asterisk answered 500/);
    pair.fake.refuse = ({ path: [, id, verb] }) => (verb === 'snoop' && id === other.id ? 404 : undefined);
    const half = pair.engine.record([one, other], { path });
    await isRecording();
    assert.equal((await half.stop()).seconds, 0.1);
    assert.equal(readWav(await readFile(path))!.channels, 2);
    pair.fake.refuse = ({ path: [, , , verb] }) => (verb === 'file' ? 403 : undefined);
    await until('nobody listens any more', () => pair.fake.channels.size === 2);
    const lost = pair.engine.record([one], { path });
    await isRecording();
    await assert.rejects(lost.stop(), /Asterisk answered 403/);
  });

  it('who began later, or is not known, is silent for so long', async () => {
    const voice = join(pair.directory, 'voice');
    await writeFile(voice, Buffer.alloc(3, 5));
    const tracks = [
      { path: voice, lateMs: 0 },
      { path: voice, lateMs: 0.25 },
      { path: undefined, lateMs: 0 },
    ];
    assert.deepEqual(await interleave(tracks, path), { seconds: 5 / 8_000 });
    const wav = readWav(await readFile(path))!;
    assert.deepEqual([...ulawChannel(wav, 0)], [5, 5, 5, 255, 255]);
    assert.deepEqual([...ulawChannel(wav, 1)], [255, 255, 5, 5, 5]);
    assert.deepEqual([...ulawChannel(wav, 2)], [255, 255, 255, 255, 255]);
    assert.deepEqual(await interleave([{ path: undefined, lateMs: 0 }], path), { seconds: 0 });
  });
});
