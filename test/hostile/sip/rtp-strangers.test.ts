// Anybody can send to a port that speech comes to. Only who was signalled is heard, and answered.
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { readWav, ulawChannel } from '../../../src/platform/audio/wav.ts';
import type { TestApp } from '../../kit/app.ts';
import { until } from '../../kit/until.ts';
import {
  answer,
  create,
  listening,
  openEar,
  openPhone,
  type Phone,
  request,
  sdp,
  speech,
  speechOf,
  speechPort,
  startSipApp,
  within,
} from './peer.ts';

const [callerHost, calleeHost, strangerHost] = ['127.0.0.3', '127.0.0.2', '127.0.0.9'];
/** µ-law, of each who speaks. */
const [callerSays, calleeSays, strangerSays] = [0x11, 0x22, 0x33];

describe('speech of strangers', { timeout: 1_800_000 }, () => {
  let app: TestApp;
  let port: number;
  let callee: Phone;
  const openings: (() => void)[] = [];
  before(async () => {
    app = await startSipApp();
    callee = await openPhone({ after: (done) => openings.push(done as () => void) }, calleeHost);
    callee.answerAll((asked) =>
      asked.startsWith('INVITE')
        ? answer(asked, 200, {
            headers: { Contact: `<sip:callee@${calleeHost}:${callee.port}>` },
            body: sdp(calleeHost, callee.rtp.port),
          })
        : asked.startsWith('ACK')
          ? undefined
          : answer(asked, 200),
    );
    await create(app, '/v2/sip-trunks/', {
      name: 'Carrier',
      host: calleeHost,
      port: callee.port,
      allowed_addresses: [callerHost],
    });
    port = await listening(app);
  });
  after(async () => {
    await app.close();
    for (const close of openings) close();
  });

  /** A call by a caller whose SDP says this, up to where both are connected. */
  async function connect(t: TestContext, sdpAddress: string) {
    const { number } = await create(app, '/v2/number/', {
      country_code: 'GB',
      target_number: '+447700900999',
      features: ['RECORD_CALL'],
    });
    const caller = await openPhone(t, callerHost);
    const invite = request(caller, {
      uri: `sip:${number}@127.0.0.1`,
      body: sdp(sdpAddress, caller.rtp.port),
    });
    callee.rtp.heard.length = 0;
    const before = callee.heard.length;
    await caller.send(invite, { port });
    const accepted = await caller.next(/^SIP\/2\.0 200/);
    await caller.send(within(caller, invite, accepted, 'ACK', 1), { port });
    const called = callee.heard.slice(before).find((octets) => octets.includes('INVITE'))!;
    const { uuid } = await until('they talk', async () => {
      const { body } = await app.call('GET', '/v2/voice/calls/?status=IN_PROGRESS');
      return body.results[0];
    });
    return {
      caller,
      uuid,
      toCaller: { port: speechPort(accepted) },
      toCallee: { port: speechPort(called.toString()) },
      hangUp: async () => {
        await caller.send(within(caller, invite, accepted, 'BYE', 2), { port });
        await caller.next(/^SIP\/2\.0 200.*CSeq: 2 BYE/s);
      },
    };
  }

  it('who was not signalled hears nothing, is not heard, not recorded, and moves nothing, even when first', async (t) => {
    const { caller, uuid, toCaller, toCallee, hangUp } = await connect(t, callerHost);
    const stranger = await openEar(t, strangerHost);
    // More than enough to be settled on, by the ports of both, before anybody else has said a word.
    for (let n = 0; n < 10; n++) {
      await stranger.send(speech(strangerSays, 99), toCaller);
      await stranger.send(speech(strangerSays, 99), toCallee);
    }
    await until('both hear each other', async () => {
      await caller.rtp.send(speech(callerSays, 1), toCaller);
      await callee.rtp.send(speech(calleeSays, 2), toCallee);
      return speechOf(caller.rtp, calleeSays) >= 50 && speechOf(callee.rtp, callerSays) >= 50;
    });
    assert.deepEqual(
      [stranger.heard.length, speechOf(caller.rtp, strangerSays), speechOf(callee.rtp, strangerSays)],
      [0, 0, 0],
    );
    await hangUp();
    const recording = await until('the recording is there', async () => {
      const url = `/v2/voice/calls/${uuid}/recording/`;
      const found = await app.app.inject({ url, headers: { authorization: `Token ${app.token}` } });
      return found.statusCode === 200 && found.rawPayload;
    });
    const wav = readWav(recording as Buffer)!;
    const channels = [0, 1].map((channel) => new Set(ulawChannel(wav, channel)));
    assert.deepEqual(
      channels.map((octets) => [callerSays, calleeSays, strangerSays].map((octet) => octets.has(octet))),
      [
        [true, false, false],
        [false, true, false],
      ],
    );
  });

  it('who is behind a NAT is heard from where its signalling comes from, by any port, and from nowhere else', async (t) => {
    const { caller, toCaller, toCallee, hangUp } = await connect(t, '10.11.12.13');
    const stranger = await openEar(t, strangerHost);
    for (let n = 0; n < 10; n++) await stranger.send(speech(strangerSays, 99), toCaller);
    const rebound = await openEar(t, callerHost);
    await until('both hear each other', async () => {
      await rebound.send(speech(callerSays, 1), toCaller);
      await callee.rtp.send(speech(calleeSays, 2), toCallee);
      return speechOf(callee.rtp, callerSays) >= 10 && speechOf(rebound, calleeSays) >= 10;
    });
    assert.deepEqual([stranger.heard.length, speechOf(callee.rtp, strangerSays), caller.rtp.heard.length], [0, 0, 0]);
    await hangUp();
  });
});
