// Two telephones that talk through us over TLS and SRTP, with Kamailio between us and each of them; and what somebody on the wire sees.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { SipVoice } from '../../../src/carriers/sip/index.ts';
import { fromUlaw, rms, sampleRate } from '../../../src/platform/audio/g711.ts';
import { linearSamples, readWav, ulawChannel } from '../../../src/platform/audio/wav.ts';
import { makeAuthority } from '../../kit/certificates.ts';
import { missingPeers } from '../../kit/peers.ts';
import { type Foreign, freePorts, startForeign } from '../../kit/program/foreign.ts';
import { until } from '../../kit/until.ts';
import { type Baresip, startBaresip } from './baresip.ts';
import { type House, startHouse, target } from './house.ts';
import { kamailio, startSecureKamailio } from './kamailio.ts';
import { heardFrames, middle, pitch } from './speech.ts';

const skip = missingPeers(
  ['test', '-x', kamailio],
  ['sh', '-c', 'ls /usr/lib/*/kamailio/modules/tls.so'],
  ['test', '-e', '/usr/lib/baresip/modules/srtp.so'],
  ['which', 'sox'],
  ['tshark', '-v'],
  ['dumpcap', '-q', '-i', 'lo', '-a', 'duration:1', '-w', '/dev/null'],
);
const host = '127.0.0.1';
const edge = '127.0.0.4';
/** Of a sine at 0.3 of what is possible: 0.3 / √2. */
const toneRms = 0.212;

describe('calls over TLS with SRTP through Kamailio', { skip, timeout: 1_800_000 }, () => {
  const authority = makeAuthority();
  let house: House;
  let proxy: Foreign;
  let [caller, callee] = [] as unknown as [Baresip, Baresip];
  let ports: number[];
  let speech: [first: number, last: number];
  before(async () => {
    ports = await freePorts(5);
    const [edgePort, callerPort, calleePort, one, other] = ports as [number, number, number, number, number];
    // Of this test alone, and below what others are given: nothing of theirs is on them.
    const firstSpeech = 20_000 + (edgePort % 250) * 40;
    speech = [firstSpeech, firstSpeech + 39];
    const place = (name: string): string => path.join(os.tmpdir(), `parley-${edgePort}-${name}.pem`);
    const put = async (name: string, address: string) => {
      const { cert, key } = authority.issue([address]);
      await writeFile(place(`${name}-cert`), cert);
      await writeFile(place(`${name}-key`), key);
      await writeFile(place(name), `${cert}${key}`);
      return { cert: place(`${name}-cert`), key: place(`${name}-key`), both: place(name) };
    };
    const own = await put('parley', host);
    house = await startHouse(edgePort, {
      trunk: { host: edge, transport: 'tls', srtp: 'required', tls_ca: authority.cert },
      env: {
        RTP_PORTS: `${speech[0]}-${speech[1]}`,
        SIP_TLS_PORT: '0',
        SIP_TLS_CERT_FILE: own.cert,
        SIP_TLS_KEY_FILE: own.key,
      },
    });
    const sip = house.app.deps.carriers.get('sip', 'voice').voice as SipVoice;
    const { directory } = house;
    proxy = await startSecureKamailio({
      directory,
      host: edge,
      port: edgePort,
      files: await put('edge', edge),
      number: target,
      callee: `${host}:${calleePort + 1}`,
      parley: `${host}:${sip.tlsPort()}`,
    });
    const secure = (await put('phone', host)).both;
    callee = await startBaresip({
      directory,
      user: target,
      host,
      port: calleePort,
      controlPort: one,
      hertz: 400,
      secure,
    });
    caller = await startBaresip({
      directory,
      user: '+447700900111',
      host,
      port: callerPort,
      controlPort: other,
      hertz: 1_000,
      secure,
    });
  });
  after(async () => {
    await caller?.foreign.stop();
    await callee?.foreign.stop();
    await house?.close();
    await proxy?.stop();
  });
  const link = async () =>
    (await house.get('/v2/network-status/voice/')).results.find(
      ({ carrier }: { carrier: string }) => carrier === 'sip',
    );
  const trunk = async () => (await house.get('/v2/sip-trunks/')).results[0];

  it('both are heard as they speak, and the capture shows neither text nor speech', async (t) => {
    await until('the trunk is up', async () => (await link())?.state === 'UP').catch((error) =>
      assert.fail(`${error.message}\n${proxy.lines.slice(-20).join('\n')}`),
    );
    const number = await house.buy({ features: ['RECORD_CALL'] });
    const file = path.join(house.directory, 'wire.pcapng');
    const tcp = [ports[0]!, ports[1]! + 1, ports[2]! + 1].map((port) => `tcp port ${port}`).join(' or ');
    // Where the telephones are told whom to dial, in clear.
    const controls = [ports[3]!, ports[4]!].map((port) => `tcp port ${port}`).join(' or ');
    const capture = startForeign('dumpcap', [
      '-i',
      'lo',
      '-f',
      `((${tcp}) and not (${controls})) or udp portrange ${speech[0]}-${speech[1]}`,
      '-w',
      file,
    ]);
    t.after(() => capture.stop());
    await capture.says(/^File: /);

    await caller.command('dial', `sip:${number}@${edge}:${ports[0]}`);
    const called = await until('they talk', async () => {
      const { results } = await house.get('/v2/voice/calls/?status=IN_PROGRESS');
      return results[0];
    });
    for (const phone of [caller, callee]) {
      await until('four seconds are heard', async () => {
        const [heard] = await phone.heard();
        return heard && (await stat(heard)).size > 4 * 2 * sampleRate;
      });
    }
    await caller.command('hangup');
    const [record] = await house.records(number, 1);
    assert.deepEqual([record.result, record.hung_up_by], ['ANSWERED', 'CALLER']);
    await capture.stop();

    const url = `/v2/voice/calls/${called.uuid}/recording/`;
    await until('the recording is there', async () => (await house.app.call('GET', url)).status === 200);
    const wav = readWav(await house.download(url))!;
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
      const heard = await until(`all of ${file}`, async () => {
        const wav = readWav(await readFile(file!));
        return wav && wav.seconds > 0 && heardFrames(middle(linearSamples(wav)!));
      });
      assert.ok(Math.abs(rms(heard) - toneRms) < 0.03, `${file}: ${rms(heard)}`);
      assert.ok(Math.abs(pitch(heard) - hertz) < 30, `${file}: ${pitch(heard)} Hz`);
    }

    const octets = (await readFile(file)).toString('latin1');
    for (const text of ['INVITE sip', 'SIP/2.0', 'a=crypto', 'inline:', number.slice(1)]) {
      const at = octets.indexOf(text);
      assert.equal(at, -1, `"${text}" is on the wire: ${JSON.stringify(octets.slice(at - 60, at + 60))}`);
    }
    const fields = ['-Y', 'rtp', '-T', 'fields', '-e', 'rtp.payload'];
    const { stdout } = await promisify(execFile)(
      'tshark',
      ['-r', file, '-d', `udp.port==${speech[0]}-${speech[1]},rtp`, ...fields],
      {
        maxBuffer: 100_000_000,
      },
    );
    const payloads = stdout.split('\n').filter(Boolean);
    assert.ok(payloads.length > 400, `${payloads.length} packets of speech were captured`);
    const seen = fromUlaw(Buffer.from(payloads.join('').replaceAll(':', ''), 'hex'));
    // A tone repeats itself after one period, to which 1,000 Hz and 400 Hz have eight and twenty samples; noise never does.
    for (const period of [8, 20]) assert.ok(Math.abs(likeness(seen, period)) < 0.1, `${likeness(seen, period)}`);
  });

  it('an edge with a certificate of somebody else is not spoken to, and the trunk says why', async () => {
    const { uuid } = await trunk();
    const change = async (fields: object) =>
      assert.equal((await house.app.call('PATCH', `/v2/sip-trunks/${uuid}/`, fields)).status, 200);
    await change({ tls_ca: makeAuthority('Somebody else').cert });
    const down = await until('the trunk is down', async () => {
      const one = await link();
      return one?.state === 'DOWN' && one;
    });
    assert.match(down.last_error, /The certificate is not trusted: /);
    const number = await house.buy();
    const call = await house.post('/v2/voice/calls/', { from: number, to: target, tts: 'Nobody hears this.' });
    const ended = await until('it ended', async () => {
      const one = await house.get(`/v2/voice/calls/${call.uuid}/`);
      return one.status === 'ENDED' && one;
    });
    assert.notEqual(ended.result, 'ANSWERED');
    await change({ tls_ca: authority.cert });
    await until('the trunk is up', async () => (await link())?.state === 'UP');
  });
});

/** How much samples are like those a period later: 1 the same, 0 not at all. */
function likeness(samples: Int16Array, period: number): number {
  let [product, power] = [0, 0];
  for (let at = period; at < samples.length; at++) {
    product += samples[at]! * samples[at - period]!;
    power += samples[at]! ** 2;
  }
  return product / power;
}
