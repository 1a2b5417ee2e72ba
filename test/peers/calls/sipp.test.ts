// The whole way with SIPp at both ends: callers on 127.0.0.3, the people called on 127.0.0.2.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { after, before, describe, it, type TestContext } from 'node:test';
import { findSound } from '../../../src/domains/audio/index.ts';
import { fromUlaw, rms } from '../../../src/platform/audio/g711.ts';
import { readWav, ulawChannel } from '../../../src/platform/audio/wav.ts';
import { missingPeers } from '../../kit/peers.ts';
import { freePorts } from '../../kit/program/foreign.ts';
import { greeting } from '../../kit/speech/sounds.ts';
import { until } from '../../kit/until.ts';
import { calleeHost, callerHost, type House, startHouse, startSipp } from './house.ts';
import { answering, holding, pressing, refused, refusing, talking, unanswering } from './scenarios.ts';
import { heardFrames, middle, openEar, pitch, type Tone, writeTone } from './speech.ts';

const skip = missingPeers(['which', 'sipp']);
const callerTone: Tone = { hertz: 1_000, loudness: 0.3, seconds: 5 };
const calleeTone: Tone = { hertz: 400, loudness: 0.1, seconds: 5 };

function near(actual: number, expected: number, part: number): void {
  assert.ok(Math.abs(actual - expected) <= expected * part, `${actual} is not about ${expected}`);
}

describe('calls over SIP, with SIPp', { skip }, () => {
  let house: House;
  let calleePort: number;
  before(async () => {
    [calleePort] = (await freePorts(1)) as [number];
    house = await startHouse(calleePort);
  });
  after(() => house.close());

  async function callee(t: TestContext, scenario: string, args: string[] = []): Promise<void> {
    const sipp = await startSipp(house.directory, scenario, ['-i', calleeHost, '-p', String(calleePort), ...args]);
    t.after(() => sipp.stop());
  }

  async function caller(number: string, scenario: string, args: string[] = []): Promise<void> {
    const [port, mediaPort] = (await freePorts(2)) as [number, number];
    const sipp = await startSipp(house.directory, scenario, [
      ...['-i', callerHost, '-p', String(port), '-mp', String(mediaPort), '-s', number, '-timeout', '600s'],
      // On a busy machine an answer may take longer than SIPp is usually prepared to wait.
      ...['-max_invite_retrans', '10', '-max_non_invite_retrans', '20'],
      ...args,
      `127.0.0.1:${house.port}`,
    ]);
    assert.equal(await sipp.done, 0, await sipp.errors());
  }

  it('a call is forwarded, answered, and ended by the caller', async (t) => {
    const number = await house.buy();
    await callee(t, 'uas');
    await caller(number, 'uac', ['-m', '1', '-d', '1000']);
    const [record] = await house.records(number, 1);
    assert.deepEqual([record.result, record.hung_up_by, record.sip_code], ['ANSWERED', 'CALLER', 200]);
    assert.ok(record.talk_seconds >= 1);
  });

  it('over TCP, too', async (t) => {
    const number = await house.buy();
    await callee(t, 'uas');
    await caller(number, 'uac', ['-m', '5', '-r', '5', '-d', '200', '-t', 't1']);
    const records = await house.records(number, 5);
    assert.ok(records.every(({ result }: { result: string }) => result === 'ANSWERED'));
  });

  it('hold is answered, and so is its end', async (t) => {
    const number = await house.buy();
    await callee(t, 'uas');
    await caller(number, holding, ['-m', '1']);
    assert.equal((await house.records(number, 1))[0].result, 'ANSWERED');
  });

  it('busy', async (t) => {
    const number = await house.buy();
    await callee(t, refusing('486 Busy Here'));
    await caller(number, refused(486), ['-m', '1']);
    assert.equal((await house.records(number, 1))[0].result, 'BUSY');
  });

  it('nobody answers: the callee’s phone falls silent, and the caller leaves a message', async (t) => {
    const number = await house.buy({ features: ['VOICEMAIL_LITE'] });
    await callee(t, unanswering);
    await caller(number, 'uac', ['-m', '1', '-d', '8000']);
    const [record] = await house.records(number, 1);
    assert.deepEqual([record.result, record.voicemail], ['VOICEMAIL', true]);
  });

  it('keys that the caller presses are captured', async (t) => {
    const number = await house.buy({ features: ['CAPTURE_DIGITS'] });
    await callee(t, 'uas');
    await caller(number, pressing(500), ['-m', '1']);
    assert.equal((await house.records(number, 1))[0].digits, '1');
  });

  it('the person called hears the whisper, and then the caller', async (t) => {
    await house.upload('Whisper', greeting);
    const number = await house.buy({ whisper_file: 'Whisper' });
    const ear = await openEar(calleeHost);
    t.after(() => ear.close());
    const tone = await writeTone(house.directory, callerTone);
    await callee(t, answering({ ear: ear.port }));
    await caller(number, talking(tone, 3_000), ['-m', '1']);
    const [record] = await house.records(number, 1);
    assert.deepEqual([record.result, record.whispered], ['ANSWERED', true]);
    const { path, seconds } = (await findSound(house.app.deps, house.app.accountId, 'Whisper'))!;
    const beforeMs = Date.parse(record.answered) - Date.parse(record.started);
    assert.ok(
      beforeMs > (seconds - 0.1) * 1000,
      `the talk begins after the whisper, not ${beforeMs} ms after the call`,
    );
    const heard = ear.heard();
    const whispered = Math.floor(seconds * 8_000);
    const sent = rms(fromUlaw(await readFile(path)));
    near(rms(heard.subarray(0, whispered)), sent, 0.05);
    // Then the caller.
    const talk = heardFrames(middle(heard.subarray(whispered)));
    near(rms(talk), callerTone.loudness / Math.SQRT2, 0.05);
    near(pitch(talk), callerTone.hertz, 0.05);
  });

  it('a recording has what each of both said, as loud as they said it', async (t) => {
    const number = await house.buy({ features: ['RECORD_CALL'] });
    await callee(t, answering({ says: await writeTone(house.directory, calleeTone) }));
    await caller(number, talking(await writeTone(house.directory, callerTone), 4_000), ['-m', '1']);
    await expectRecorded(number, [callerTone, calleeTone]);
  });

  it('speech before the answer (183) harms nothing, is heard by nobody, and is not in the recording', async (t) => {
    const number = await house.buy({ features: ['RECORD_CALL'] });
    const early = await writeTone(house.directory, { hertz: 700, loudness: 0.5, seconds: 2 });
    const says = await writeTone(house.directory, calleeTone);
    await callee(t, answering({ early, earlyMs: 2_500, says }));
    await caller(number, talking(await writeTone(house.directory, callerTone), 4_000), ['-m', '1']);
    const record = await expectRecorded(number, [callerTone, calleeTone]);
    assert.ok(record.ring_seconds >= 2, 'until the answer it rings');
    assert.ok(record.recording_seconds <= record.talk_seconds + 1, 'the recording begins with the talk');
  });

  /** One channel for each, in which they are heard as loud and as high as they were. */
  async function expectRecorded(number: string, tones: Tone[]) {
    const [record] = await house.records(number, 1);
    assert.equal(record.result, 'ANSWERED');
    const wav = readWav(await house.download(record.recording_url))!;
    assert.equal(wav.channels, tones.length);
    for (const [channel, { hertz, loudness }] of tones.entries()) {
      const samples = heardFrames(middle(fromUlaw(ulawChannel(wav, channel))));
      near(rms(samples), loudness / Math.SQRT2, 0.05);
      near(pitch(samples), hertz, 0.05);
    }
    return record;
  }

  it('with 2 % of all datagrams lost, every call still goes through', async (t) => {
    const number = await house.buy();
    await callee(t, 'uas', ['-lost', '2']);
    await caller(number, 'uac', ['-m', '50', '-r', '10', '-d', '500', '-lost', '2']);
    const records = await house.records(number, 50);
    assert.equal(records.filter(({ result }: { result: string }) => result === 'ANSWERED').length, 50);
  });

  it('of 200 calls none is lost', async (t) => {
    const number = await house.buy();
    await callee(t, 'uas');
    await caller(number, 'uac', ['-m', '200', '-r', '20', '-d', '1000']);
    const answered = async () =>
      (await house.get(`/v2/cdr/?number=${encodeURIComponent(number)}&result=ANSWERED`)).count;
    await until('200 answered calls', async () => (await answered()) === 200);
  });
});

const noIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((one) => one?.address === '::1')
  ? ''
  : 'there is no ::1';

describe('calls over IPv6, with SIPp', { skip: skip || noIpv6 || false }, () => {
  it('a call is forwarded, answered, and recorded', async (t) => {
    const [calleePort, callerPort] = (await freePorts(2)) as [number, number];
    const house = await startHouse(calleePort, {
      env: { SIP_HOST: '::1' },
      trunk: { host: '::1', allowed_addresses: ['::1/128'] },
    });
    t.after(() => house.close());
    const number = await house.buy({ features: ['RECORD_CALL'] });
    const callee = await startSipp(house.directory, 'uas', ['-i', '::1', '-p', String(calleePort)]);
    t.after(() => callee.stop());
    const tone = await writeTone(house.directory, callerTone);
    const caller = await startSipp(house.directory, talking(tone, 3_000), [
      ...['-i', '::1', '-p', String(callerPort), '-s', number, '-m', '1', '-timeout', '180s'],
      `[::1]:${house.port}`,
    ]);
    assert.equal(await caller.done, 0, await caller.errors());
    const [record] = await house.records(number, 1);
    assert.deepEqual([record.result, record.hung_up_by], ['ANSWERED', 'CALLER']);
    const wav = readWav(await house.download(record.recording_url))!;
    near(rms(heardFrames(middle(fromUlaw(ulawChannel(wav, 0))))), callerTone.loudness / Math.SQRT2, 0.05);
  });
});
