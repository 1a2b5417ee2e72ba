import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fromUlaw, rms, sampleRate } from '../../../platform/audio/g711.ts';
import { readWav, ulawChannel } from '../../../platform/audio/wav.ts';
import type { SandboxLeg } from './leg.ts';
import { record, writeTalk } from './record.ts';
import type { VoiceTime } from './time.ts';

describe('A recording of the sandbox', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-talk-'));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  const write = async (seconds: number, channels: number) => {
    const file = path.join(directory, `${channels}.wav`);
    await writeTalk(file, seconds, channels);
    return readWav(await readFile(file))!;
  };

  it('is as long as the call, and each person is heard in their channel while the other is silent', async () => {
    // Longer than all turns together, and no whole number of them.
    const wav = await write(61.5, 2);
    assert.deepEqual([wav.channels, wav.seconds], [2, 61.5]);
    const [one, other] = [0, 1].map((channel) => fromUlaw(ulawChannel(wav, channel)));
    for (const half of [0, 30 * sampleRate]) {
      assert.ok(rms(one!.subarray(half, half + 30 * sampleRate)) > 0.02);
      assert.ok(rms(other!.subarray(half, half + 30 * sampleRate)) > 0.02);
    }
    assert.ok(one!.every((sample, n) => sample === 0 || other![n] === 0));
  });

  it('to a mailbox has one channel', async () => {
    const wav = await write(3, 1);
    assert.deepEqual([wav.channels, wav.seconds], [1, 3]);
    assert.ok(rms(fromUlaw(wav.data)) > 0.02);
  });

  it('is empty, and not lost, where the time of calls went back to what was due', async () => {
    const moments = [1_000, 800];
    const time = { now: () => moments.shift()!, wait: async () => {} } as unknown as VoiceTime;
    const phone = { accountId: '', speaksMs: undefined };
    const leg = { phone, over: new AbortController().signal, onKey: () => () => {} } as unknown as SandboxLeg;
    const file = path.join(directory, 'back.wav');
    assert.deepEqual(await record([leg, leg], { path: file }, time).ended, { seconds: 0 });
    assert.equal(readWav(await readFile(file))!.seconds, 0);
  });
});
