// SIP from outside, by plain datagrams: for tests of what strangers and hostile peers can do.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SipVoice } from '../../../src/carriers/sip/index.ts';
import { goOnAdopting, startTestApp, type TestApp } from '../../kit/app.ts';
import { until } from '../../kit/until.ts';

/** Whatever a test started, ended in reverse order. */
export type Ending = { after(done: () => Promise<void> | void): void };

/** The product, which reaches loopback addresses by SIP and listens on 127.0.0.1. */
export async function startSipApp(env: Record<string, string> = {}): Promise<TestApp> {
  const app = await startTestApp({
    SIP_ALLOW: '127.0.0.0/8,10.0.0.0/8',
    SIP_HOST: '127.0.0.1',
    SIP_PORT: '0',
    RTP_PORTS: '40000-44999',
    ...env,
  });
  await goOnAdopting(app);
  return app;
}

export const sipOf = (app: TestApp): SipVoice => app.deps.carriers.get('sip', 'voice').voice as SipVoice;

/** Where it listens, once it does. */
export const listening = (app: TestApp): Promise<number> => until('SIP listens', () => sipOf(app).port());

export async function create(app: TestApp, url: string, body: object, token?: string) {
  const answer = await app.call('POST', url, body, token === undefined ? {} : { token });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}

/** A socket with an address of its own; Linux takes every address that begins with 127 for its own. */
export interface Ear {
  address: string;
  port: number;
  heard: Buffer[];
  /** Done when it has left. */
  send(octets: Uint8Array | string, to: { port: number; address?: string }): Promise<void>;
}

export async function openEar(t: Ending, address: string): Promise<Ear> {
  const socket: Socket = createSocket('udp4');
  socket.bind(0, address);
  await once(socket, 'listening');
  t.after(() => void socket.close());
  const heard: Buffer[] = [];
  socket.on('message', (octets) => heard.push(octets));
  socket.on('error', () => {});
  return {
    address,
    port: socket.address().port,
    heard,
    send: (octets, { port, address: to = '127.0.0.1' }) =>
      new Promise((resolve, reject) => socket.send(octets, port, to, (error) => (error ? reject(error) : resolve()))),
  };
}

export interface Phone extends Ear {
  /** Its ear for speech, which its SDP names. */
  rtp: Ear;
  /** Waits for a message that is like this. */
  next(like: RegExp): Promise<string>;
  all(like: RegExp): string[];
  /** Answers every request from now on; undefined: with nothing. */
  answerAll(make: (request: string) => string | undefined): void;
}

/** A telephone, or a carrier, that does only what the test tells it. */
export async function openPhone(t: Ending, address: string): Promise<Phone> {
  const [ear, rtp] = [await openEar(t, address), await openEar(t, address)];
  const texts = (): string[] => ear.heard.map((octets) => octets.toString('utf8'));
  const all = (like: RegExp): string[] => texts().filter((text) => like.test(text));
  let answered = 0;
  let stop = false;
  t.after(() => {
    stop = true;
  });
  return {
    ...ear,
    rtp,
    all,
    next: (like) => until(`${address} hears ${like}`, () => all(like)[0]),
    answerAll(make) {
      void (async () => {
        for (; !stop; await sleep(5)) {
          for (; answered < ear.heard.length; answered++) {
            const text = ear.heard[answered]!.toString('utf8');
            const answer = text.startsWith('SIP/2.0') ? undefined : make(text);
            const port = Number(/^Via: \S+ [^:;]+:(\d+)/im.exec(text)?.[1]);
            if (answer !== undefined) await ear.send(answer, { port });
          }
        }
      })();
    },
  };
}

export const fieldOf = (message: string, name: string): string =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(message)?.[1]?.trim() ?? '';

/** Where a message's SDP wants speech. */
export const speechPort = (message: string): number => Number(/^m=audio (\d+)/m.exec(message)![1]);

export const sdp = (address: string, port: number): string =>
  `v=0\r\no=- 1 1 IN IP4 ${address}\r\ns=-\r\nc=IN IP4 ${address}\r\nt=0 0\r\nm=audio ${port} RTP/AVP 0 101\r\n` +
  'a=rtpmap:101 telephone-event/8000\r\n';

export interface Said {
  method?: string;
  uri?: string;
  from?: string;
  to?: string;
  callId?: string;
  cseq?: number;
  /** Lines of their own; an empty one leaves the usual one out. */
  headers?: Record<string, string>;
  body?: string;
}

/** A request of this phone. */
export function request({ address, port }: Ear, said: Said = {}): string {
  const { method = 'INVITE', uri = 'sip:parley@127.0.0.1', body = '' } = said;
  const headers: Record<string, string> = {
    Via: `SIP/2.0/UDP ${address}:${port};rport;branch=z9hG4bK${randomBytes(8).toString('hex')}`,
    'Max-Forwards': '70',
    From: said.from ?? `<sip:+447700900111@${address}>;tag=${randomBytes(6).toString('hex')}`,
    To: said.to ?? `<${uri}>`,
    'Call-ID': said.callId ?? randomBytes(12).toString('hex'),
    CSeq: `${said.cseq ?? 1} ${method}`,
    Contact: `<sip:phone@${address}:${port}>`,
    ...(body && { 'Content-Type': 'application/sdp' }),
    ...said.headers,
    'Content-Length': String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(headers).map(([name, value]) => (value === '' ? '' : `${name}: ${value}\r\n`));
  return `${method} ${uri} SIP/2.0\r\n${lines.join('')}\r\n${body}`;
}

/** An answer to a request. */
export function answer(asked: string, status: number, more: { headers?: Record<string, string>; body?: string } = {}) {
  const { body = '' } = more;
  const to = fieldOf(asked, 'To');
  const headers: [string, string][] = [
    ...[...asked.matchAll(/^(Via): (.*)$/gim)].map(([, name, value]): [string, string] => [name!, value!.trim()]),
    ['From', fieldOf(asked, 'From')],
    ['To', /;tag=/.test(to) ? to : `${to};tag=answered`],
    ['Call-ID', fieldOf(asked, 'Call-ID')],
    ['CSeq', fieldOf(asked, 'CSeq')],
    ...Object.entries(more.headers ?? {}),
    ...(body ? [['Content-Type', 'application/sdp'] as [string, string]] : []),
    ['Content-Length', String(Buffer.byteLength(body))],
  ];
  return `SIP/2.0 ${status} Answer\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

/** What follows an answered INVITE within its dialog: ACK, BYE … */
export const within = (phone: Ear, invite: string, accepted: string, method: string, cseq: number): string =>
  request(phone, {
    method,
    uri: /<([^>]+)>/.exec(fieldOf(accepted, 'Contact'))![1]!,
    from: fieldOf(invite, 'From'),
    to: fieldOf(accepted, 'To'),
    callId: fieldOf(invite, 'Call-ID'),
    cseq,
  });

let sequence = 0;
/** A packet of µ-law speech of one octet. */
export function speech(octet: number, ssrc = 7): Buffer {
  const packet = Buffer.alloc(172, octet);
  packet.writeUInt16BE(0x8000, 0);
  packet.writeUInt16BE(++sequence & 0xffff, 2);
  packet.writeUInt32BE(sequence * 160, 4);
  packet.writeUInt32BE(ssrc, 8);
  return packet;
}
/** How many packets were speech of this octet. */
export const speechOf = ({ heard }: Ear, octet: number): number =>
  heard.filter((packet) => packet.length === 172 && packet.subarray(12).every((one) => one === octet)).length;
