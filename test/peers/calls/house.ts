import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { SipVoice } from '../../../src/carriers/sip/index.ts';
import { goOnAdopting, startTestApp, type TestApp } from '../../kit/app.ts';
import { until } from '../../kit/until.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape, looked into and asserted in the tests
type Any = any;

/** The product with a trunk to a callee on 127.0.0.2, and a number that is forwarded to it. */
export interface House {
  app: TestApp;
  port: number;
  directory: string;
  post(url: string, body: object): Promise<Any>;
  get(url: string): Promise<Any>;
  /** A number of ours, with these fields. */
  buy(fields?: object): Promise<string>;
  /** The records of a number, once there are so many. */
  records(number: string, count: number): Promise<Any[]>;
  /** An audio file of the account. */
  upload(name: string, mp3: Uint8Array): Promise<void>;
  download(url: string): Promise<Buffer>;
  close(): Promise<void>;
}

export interface HouseOptions {
  trunk?: object;
  env?: Record<string, string>;
}

export const calleeHost = '127.0.0.2';
export const callerHost = '127.0.0.3';
export const target = '+447700900999';

export async function startHouse(calleePort: number, { trunk = {}, env = {} }: HouseOptions = {}): Promise<House> {
  const app = await startTestApp({
    SIP_ALLOW: '127.0.0.0/8,::1',
    SIP_HOST: '127.0.0.1',
    SIP_PORT: '0',
    RTP_PORTS: '30000-39999',
    ...env,
  });
  const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-voice-'));
  const post = async (url: string, body: object): Promise<Any> => {
    const answer = await app.call('POST', url, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  };
  const get = async (url: string): Promise<Any> => (await app.call('GET', url)).body;
  await goOnAdopting(app);
  await post('/v2/sip-trunks/', {
    name: 'Carrier',
    host: calleeHost,
    port: calleePort,
    allowed_addresses: ['127.0.0.0/8'],
    ...trunk,
  });
  const sip = app.deps.carriers.get('sip', 'voice').voice as SipVoice;
  await until('SIP listens', async () => sip.port() !== undefined);
  return {
    app,
    port: sip.port()!,
    directory,
    post,
    get,
    buy: async (fields = {}) =>
      (await post('/v2/number/', { country_code: 'GB', target_number: target, ...fields })).number,
    records: (number, count) =>
      until(`${count} records of ${number}`, async () => {
        const { results } = await get(`/v2/cdr/?number=${encodeURIComponent(number)}&page_size=200`);
        return results.length >= count && results;
      }),
    async upload(name, mp3) {
      const form = new FormData();
      form.append('name', name);
      form.append('file', new Blob([new Uint8Array(mp3)]), `${name}.mp3`);
      const request = new Response(form);
      const answer = await app.app.inject({
        method: 'POST',
        url: '/v2/audio-files/',
        headers: { authorization: `Token ${app.token}`, 'content-type': request.headers.get('content-type') ?? '' },
        payload: Buffer.from(await request.arrayBuffer()),
      });
      assert.equal(answer.statusCode, 201, answer.body);
    },
    download: async (url) =>
      (await app.app.inject({ url, headers: { authorization: `Token ${app.token}` } })).rawPayload,
    async close() {
      await app.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Every port that a socket of this machine is bound to. */
async function takenPorts(): Promise<Set<number>> {
  const tables = ['udp', 'udp6', 'tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => ''));
  // `0: 0100007F:1F90 …`: the address and the port, in hexadecimal.
  const bound = (await Promise.all(tables)).join('\n').matchAll(/^ *\d+: \w+:(\w{4}) /gm);
  return new Set([...bound].map(([, port]) => Number.parseInt(port!, 16)));
}

export interface Sipp {
  /** Done when it ended by itself, with its exit code: 0 when every call went as the scenario says. */
  done: Promise<number | null>;
  /** What went wrong, in its words. */
  errors(): Promise<string>;
  stop(): Promise<void>;
}

let runs = 0;

/** A run of SIPp; `scenario` is one of its own, or the text of one. */
export async function startSipp(directory: string, scenario: string, args: string[]): Promise<Sipp> {
  const name = path.join(directory, `run-${++runs}`);
  const own = !scenario.trimStart().startsWith('<');
  if (!own) await writeFile(`${name}.xml`, scenario);
  const child = spawn(
    'sipp',
    [
      ...(own ? ['-sn', scenario] : ['-sf', `${name}.xml`]),
      '-nostdin',
      '-trace_err',
      '-error_file',
      `${name}.err`,
      ...args,
    ],
    { cwd: directory, stdio: 'ignore' },
  );
  const done = new Promise<number | null>((resolve) => child.once('close', resolve));
  let hasEnded = false;
  void done.then(() => {
    hasEnded = true;
  });
  // A callee must be there before it is called.
  const port = Number(args[args.indexOf('-p') + 1]);
  await until(`SIPp takes port ${port}`, async () => hasEnded || (await takenPorts()).has(port));
  return {
    done,
    errors: () => readFile(`${name}.err`, 'utf8').catch(() => ''),
    async stop() {
      child.kill('SIGKILL');
      await done;
    },
  };
}
