// A process that dies takes its calls with it; their records are closed from what is known. Proved on the real program.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fromUlaw, rms, sampleRate } from '../../../src/platform/audio/g711.ts';
import { readWav, ulawChannel } from '../../../src/platform/audio/wav.ts';
import { missingPeers } from '../../kit/peers.ts';
import { freePorts } from '../../kit/program/foreign.ts';
import { killTree, type Parley, startParley } from '../../kit/program/parley-process.ts';
import { until } from '../../kit/until.ts';
import { calleeHost, callerHost, startSipp } from './house.ts';
import { talking } from './scenarios.ts';
import { heardFrames, writeTone } from './speech.ts';

const token = 'voice-crash-token';
const linuxOnly = { skip: process.platform === 'linux' ? false : 'finds processes in /proc' };

// biome-ignore lint/suspicious/noExplicitAny: bodies of several operations
async function ask(address: string, body?: object): Promise<any> {
  const answer = await fetch(address, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  assert.ok(answer.ok, `${address} answered ${answer.status}`);
  return answer.json();
}

const reaches = (address: string, status: string) =>
  until(
    () => ask(address),
    (call) => call.status === status,
  );

describe('Parley killed during calls', linuxOnly, () => {
  let parley: Parley | undefined;
  let parent: string;
  beforeEach(async () => {
    parent = await mkdtemp(path.join(os.tmpdir(), 'parley-voice-crash-'));
  });
  afterEach(async () => {
    if (parley) await killTree(parley.pid, path.join(parent, 'data'));
    await rm(parent, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Where it serves, once it does. */
  async function start(env: Record<string, string> = {}): Promise<string> {
    parley = startParley(path.join(parent, 'data'), { BOOTSTRAP_TOKEN: token, ...env });
    return (await parley.ready()).replace(/\/$/, '');
  }
  const kill = (): Promise<void> => killTree(parley!.pid, path.join(parent, 'data'));

  it('closes their records when it is started again: who talked has talked, who rang has failed', async () => {
    const url = await start();
    const callTo = async (number: string, target_number: string): Promise<string> => {
      await ask(`${url}/v2/number/`, { number, target_number });
      const { uuid } = await ask(`${url}/v2/sandbox/calls/`, { from: '+447700900123', to: number });
      return `/v2/voice/calls/${uuid}/`;
    };
    const talking = await callTo('+442079460101', '+447700909050');
    const ringing = await callTo('+442079460102', '+447700909052');
    await reaches(url + talking, 'IN_PROGRESS');
    await kill();
    const killedMs = Date.now();

    const again = await start();
    const [talked, rang] = [await reaches(again + talking, 'ENDED'), await reaches(again + ringing, 'ENDED')];
    assert.deepEqual([talked.result, rang.result], ['ANSWERED', 'FAILED']);
    assert.match(talked.description, /interrupted/);
    assert.ok(Date.parse(talked.ended) <= killedMs, 'it ends with the last that is known of it');
    const { results } = await ask(`${again}/v2/cdr/`);
    assert.equal(results.length, 2);
  });

  it('keeps what it recorded until then', { skip: missingPeers(['which', 'sipp']) }, async (t) => {
    const [sipPort, calleePort, callerPort] = (await freePorts(3)) as [number, number, number];
    const env = { SIP_HOST: '127.0.0.1', SIP_PORT: String(sipPort), SIP_ALLOW: '127.0.0.0/8' };
    const url = await start(env);
    const trunk = { name: 'SIPp', host: calleeHost, port: calleePort, allowed_addresses: ['127.0.0.0/8'] };
    const number = '+442079460103';
    await ask(`${url}/v2/number/`, { number, target_number: '+447700900999', features: ['RECORD_CALL'] });
    await ask(`${url}/v2/sip-trunks/`, trunk);
    const tone = { hertz: 1_000, loudness: 0.3, seconds: 120 };
    const callee = await startSipp(parent, 'uas', ['-i', calleeHost, '-p', String(calleePort)]);
    t.after(() => callee.stop());
    const caller = await startSipp(parent, talking(await writeTone(parent, tone), 120_000), [
      ...['-i', callerHost, '-p', String(callerPort), '-s', number, '-m', '1', `127.0.0.1:${sipPort}`],
    ]);
    t.after(() => caller.stop());
    const recordings = path.join(parent, 'data', 'recordings');
    await until('some seconds are recorded', async () => {
      const files = await readdir(recordings, { recursive: true, withFileTypes: true }).catch(() => []);
      const file = files.find((one) => one.isFile());
      return file && (await stat(path.join(file.parentPath, file.name))).size > 4 * 16_000;
    });
    await kill();

    const again = await start(env);
    const record = await until('the record is closed', async () => (await ask(`${again}/v2/cdr/`)).results[0]);
    assert.equal(record.result, 'ANSWERED');
    assert.ok(record.recording_seconds >= 4);
    const answer = await fetch(again + record.recording_url, { headers: { authorization: `Token ${token}` } });
    const file = Buffer.from(await answer.arrayBuffer());
    const wav = readWav(file)!;
    assert.equal(file.readUInt32LE(54), wav.data.length, 'its header knows how long it is');
    const heard = heardFrames(fromUlaw(ulawChannel(wav, 0)));
    assert.ok(heard.length > sampleRate / 2, `${heard.length} samples`);
    assert.ok(Math.abs(rms(heard) - tone.loudness / Math.SQRT2) < 0.02, `${rms(heard)}`);
  });
});
