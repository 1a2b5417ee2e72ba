import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { type FakeAsterisk, startFakeAsterisk } from '../../../test/kit/asterisk/fake-asterisk.ts';
import type { FakeChannel } from '../../../test/kit/asterisk/fake-channels.ts';
import { until } from '../../../test/kit/until.ts';
import { readWav } from '../../platform/audio/wav.ts';

let app: TestApp;
let fake: FakeAsterisk;
before(async () => {
  fake = await startFakeAsterisk();
  app = await startTestApp({ ASTERISK_URL: fake.url, ASTERISK_USER: 'parley', ASTERISK_PASSWORD: 'se:cret' });
  await until('it is connected', () => fake.isConnected());
});
after(async () => {
  await app.close();
  await fake.close();
});

let last = 100;
async function number(settings: object): Promise<string> {
  const { status, body } = await app.call('POST', '/v2/number/', { number: `442079460${last++}`, ...settings });
  assert.equal(status, 201, JSON.stringify(body));
  return body.number;
}
// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
const lastCall = async (): Promise<any> => (await app.call('GET', '/v2/voice/calls/')).body.results[0];
const ended = async () => {
  await until('the call is over', async () => (await lastCall())?.status === 'ENDED');
  return lastCall();
};
const target = (): FakeChannel | undefined =>
  [...fake.channels.values()].find(({ id, snoopOf }) => id.startsWith('parley-') && snoopOf === undefined);

describe('The product over Asterisk', () => {
  it('a call is spoken to, rung through, connected and recorded', async () => {
    const to = await number({ target_number: '+447700900123', features: ['TTS', 'RECORD_CALL'], tts: 'Welcome.' });
    fake.manner = 'answer';
    const channel = fake.call(to);
    await until(
      'both are recorded',
      () => [...fake.channels.values()].filter(({ done }) => done.includes('record')).length === 2,
    );
    await until('they are connected', () => [...fake.bridges.values()].some((some) => some.size === 2));
    fake.hangUp(target()!);
    const call = await ended();
    assert.deepEqual([call.result, call.hung_up_by, call.sip_code, call.notes], ['ANSWERED', 'CALLEE', 200, []]);
    assert.equal(channel.done[0], 'answer');
    assert.match(channel.done[1]!, /^play sound:.*\/asterisk\/[0-9a-f]{64}$/);
    assert.match(channel.done[2]!, /^play tone:ring$/);
    const played = channel.done[1]!.replace('play sound:', '');
    assert.ok((await readFile(`${played}.ulaw`)).length > 1_000);
    const wav = await app.app.inject({ url: call.recording_url, headers: { authorization: `Token ${app.token}` } });
    assert.deepEqual([wav.statusCode, readWav(wav.rawPayload)!.channels], [200, 2]);
    await until('nothing is left', () => fake.channels.size === 0 && fake.stored.size === 0);
  });

  it('busy ends as BUSY, a caller who hangs up as ABANDONED, a number of nobody’s is refused', async () => {
    const to = await number({ target_number: '+447700900123' });
    fake.manner = { cause: 17 };
    fake.call(to);
    await until('it is over', async () => (await lastCall())?.result === 'BUSY');
    fake.manner = 'ring';
    const channel = fake.call(to);
    await until('it rings', () => target()?.state === 'Ringing');
    fake.hangUp(channel);
    await until('it is over', async () => (await lastCall())?.result === 'ABANDONED');
    await until('the phone is silent', () => fake.channels.size === 0);
    const nobody = fake.call('+442079469999');
    await until('it is refused', () => !fake.channels.has(nobody.id));
    assert.equal(
      fake.requests.findLast(({ method, path }) => method === 'DELETE' && path[1] === nobody.id)!.query.reason_code,
      '1',
    );
  });

  it('voicemail: the message is kept when the caller hangs up', async () => {
    const to = await number({ target_number: '+447700900123', features: ['VOICEMAIL_LITE'] });
    fake.manner = { cause: 19 };
    fake.voiceOf = () => Buffer.alloc(16_000, 3);
    const channel = fake.call(to);
    await until('it records', () => [...fake.channels.values()].some(({ done }) => done.includes('record')));
    fake.hangUp(channel);
    const call = await ended();
    assert.deepEqual([call.result, call.hung_up_by, call.recording_seconds], ['VOICEMAIL', 'CALLER', 2]);
  });

  it('a call that we make is spoken to and ended by us', async () => {
    fake.manner = 'answer';
    const from = await number({});
    const made = await app.call('POST', '/v2/voice/calls/', { from, to: '+447700900123', tts: 'Your table is ready.' });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const call = await ended();
    assert.deepEqual([call.result, call.hung_up_by, call.sip_code], ['ANSWERED', 'PLATFORM', 200]);
    const { body } = await app.call('GET', '/v2/network-status/voice/');
    assert.ok(
      body.results.some((one: { carrier: string; state: string }) => one.carrier === 'asterisk' && one.state === 'UP'),
    );
  });
});
