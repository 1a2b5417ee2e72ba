// Two real telephones that hear each other through us, and what was recorded of them.
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { fromUlaw, rms, sampleRate } from '../../../src/platform/audio/g711.ts';
import { linearSamples, readWav, ulawChannel } from '../../../src/platform/audio/wav.ts';
import { missingPeers } from '../../kit/peers.ts';
import { freePorts } from '../../kit/program/foreign.ts';
import { until } from '../../kit/until.ts';
import { type Baresip, startBaresip } from './baresip.ts';
import { type House, startHouse, target } from './house.ts';
import { heardFrames, middle, pitch } from './speech.ts';

const skip = missingPeers(['which', 'baresip'], ['which', 'sox']);
/** Of both: they send from this one whichever they name, and only who was signalled is heard. */
const host = '127.0.0.1';
/** Of a sine at 0.3 of what is possible: 0.3 / √2. */
const toneRms = 0.212;

describe('telephones: baresip at both ends', { skip }, () => {
  let house: House;
  let [caller, callee] = [] as unknown as [Baresip, Baresip];
  before(async () => {
    const [callerPort, calleePort, one, other] = (await freePorts(4)) as [number, number, number, number];
    house = await startHouse(calleePort, { trunk: { host } });
    const { directory } = house;
    callee = await startBaresip({
      directory,
      user: target,
      host,
      port: calleePort,
      controlPort: one,
      hertz: 400,
    });
    caller = await startBaresip({
      directory,
      user: '+447700900111',
      host,
      port: callerPort,
      controlPort: other,
      hertz: 1_000,
    });
  });
  after(async () => {
    await caller?.foreign.stop();
    await callee?.foreign.stop();
    await house.close();
  });

  /** What was heard in a call that is over: the file is not complete at once. */
  const samplesOf = (file: string): Promise<Int16Array> =>
    until(`all of ${file}`, async () => {
      const wav = readWav(await readFile(file));
      return wav && wav.seconds > 0 && linearSamples(wav);
    });

  it('both are heard, by each other and in the recording', async () => {
    const number = await house.buy({ features: ['RECORD_CALL'] });
    await caller.command('dial', `sip:${number}@127.0.0.1:${house.port}`);
    const called = await until('they talk', async () => {
      const { results } = await house.get('/v2/voice/calls/?status=IN_PROGRESS');
      return results[0];
    });
    for (const phone of [caller, callee]) {
      await until('four seconds are heard', async () => {
        const [file] = await phone.heard();
        return file && (await stat(file)).size > 4 * 2 * sampleRate;
      });
    }
    await caller.command('hangup');
    const [record] = await house.records(number, 1);
    assert.deepEqual([record.result, record.hung_up_by], ['ANSWERED', 'CALLER']);
    const { url } = await until('the recording is there', async () => {
      const answer = await house.app.call('GET', `/v2/voice/calls/${called.uuid}/recording/`);
      return answer.status === 200 && { url: `/v2/voice/calls/${called.uuid}/recording/` };
    });
    const wav = readWav(await house.download(url))!;
    assert.equal(wav.channels, 2);
    for (const [channel, hertz] of [
      [0, 1_000],
      [1, 400],
    ] as const) {
      const samples = heardFrames(middle(fromUlaw(ulawChannel(wav, channel))));
      assert.ok(Math.abs(rms(samples) - toneRms) < 0.03, `channel ${channel}: ${rms(samples)}`);
      assert.ok(Math.abs(pitch(samples) - hertz) < 30, `channel ${channel}: ${pitch(samples)} Hz`);
    }
    for (const [phone, hertz] of [
      [caller, 400],
      [callee, 1_000],
    ] as const) {
      const [file] = await phone.heard();
      const heard = heardFrames(middle(await samplesOf(file!)));
      assert.ok(Math.abs(pitch(heard) - hertz) < 30, `${file}: ${pitch(heard)} Hz, ${rms(heard)}`);
    }
  });

  it('one is called by the API, hears what is spoken, and is hung up on', async () => {
    const number = await house.buy();
    const before = (await callee.heard()).length;
    const call = await house.post('/v2/voice/calls/', {
      from: number,
      to: target,
      tts: 'Your table is ready. Please come in.',
    });
    const ended = await until('it ended', async () => {
      const one = await house.get(`/v2/voice/calls/${call.uuid}/`);
      return one.status === 'ENDED' && one;
    });
    assert.equal(ended.result, 'ANSWERED', `${JSON.stringify(ended)}\n${callee.foreign.lines.slice(-20).join('\n')}`);
    const [file] = (await callee.heard()).slice(before);
    const heard = await samplesOf(file!);
    assert.ok(rms(heard) > 0.02, `${rms(heard)}`);
  });
});
