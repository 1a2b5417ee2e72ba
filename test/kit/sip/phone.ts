import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Media,
  type MediaOptions,
  type MediaSession,
  makeMedia,
  type Remote,
} from '../../../src/carriers/sip/media/index.ts';
import {
  frameSamples,
  headLength,
  payloadStart,
  sequenceOf,
  sourceOf,
  timestampOf,
  typeOf,
  writeHead,
} from '../../../src/carriers/sip/media/rtp/rtp.ts';
import { makeOpener, makeSealer } from '../../../src/carriers/sip/media/srtp/srtp.ts';
import type { SrtpKeys } from '../../../src/carriers/sip/media/srtp/suites.ts';

/** Whatever a test started, ended in reverse order. */
type Ending = { after(done: () => Promise<void> | void): void };

export interface Heard {
  type: number;
  marked: boolean;
  sequence: number;
  timestamp: number;
  source: number;
  payload: Buffer;
}

/** A telephone's side of the speech: a real socket. */
export interface Phone {
  port: number;
  address: string;
  heard: Heard[];
  /** What came, as it was on the wire. */
  wire: Buffer[];
  /** What it heard other than silence. */
  speech(): Heard[];
  /** Sends octets as they are. */
  send(packet: Uint8Array, to: MediaSession): void;
  /** Says a frame with the next sequence number and timestamp. */
  say(to: MediaSession, payload: Uint8Array, options?: Partial<Said>): void;
}

interface Said {
  type: number;
  marked: boolean;
  sequence: number;
  timestamp: number;
  source: number;
}

/** `srtp`: the keys as Parley has them, so that what it sends is opened with `send`. */
export async function openPhone(t: Ending, address = '127.0.0.1', srtp?: SrtpKeys): Promise<Phone> {
  const opener = srtp && makeOpener(srtp.suite, srtp.send);
  const sealer = srtp && makeSealer(srtp.suite, srtp.receive);
  const socket: Socket = createSocket('udp4');
  socket.bind(0, address);
  await once(socket, 'listening');
  t.after(() => void socket.close());
  const heard: Heard[] = [];
  const wire: Buffer[] = [];
  let sequence = 1_000;
  let timestamp = 50_000;
  socket.on('message', (octets: Buffer) => {
    wire.push(Buffer.from(octets));
    const packet = opener ? opener.open(octets) : octets;
    if (!packet) return;
    heard.push({
      type: typeOf(packet),
      marked: (packet[1]! & 0x80) !== 0,
      sequence: sequenceOf(packet),
      timestamp: timestampOf(packet),
      source: sourceOf(packet),
      payload: packet.subarray(payloadStart(packet)),
    });
  });
  const send = (packet: Uint8Array, to: MediaSession): void => socket.send(packet, to.local.port, to.local.address);
  return {
    port: socket.address().port,
    address,
    heard,
    wire,
    speech: () => heard.filter(({ payload }) => !isSilence(payload)),
    send,
    say(to, payload, options = {}) {
      const given = { type: 0, marked: false, sequence, timestamp, source: 7, ...options };
      sequence = (given.sequence + 1) & 0xffff;
      timestamp = (given.timestamp + frameSamples) >>> 0;
      const packet = Buffer.alloc(headLength + payload.length);
      writeHead(packet, 0, given.type | (given.marked ? 0x80 : 0), given.sequence, given.timestamp, given.source);
      packet.set(payload, headLength);
      send(sealer ? sealer.seal(packet)! : packet, to);
    },
  };
}

const isSilence = (payload: Uint8Array): boolean => payload.every((octet) => octet === 0xff || octet === 0xd5);

const { pid } = process;
const isLinux = process.platform === 'linux';

/** Where this process has all ports to itself: Linux takes every address that begins with 127 for its own. */
export const host = isLinux ? `127.${64 + ((pid >> 16) & 63)}.${(pid >> 8) & 255}.${pid & 255}` : '127.0.0.1';
let taken = isLinux ? 0 : (pid * 400) % 16_000;

/** Ports that no other test has; below those the system hands out. */
export function takePorts(count: number): [number, number] {
  const least = 12_000 + taken;
  taken += count;
  return [least, least + count - 1];
}

export function startMedia(t: Ending, options: Partial<MediaOptions> = {}): Media {
  const media = makeMedia({ ports: takePorts(40), threads: 1, host, ...options });
  t.after(() => media.close());
  return media;
}

/** How a phone's SDP describes it. */
export const remoteOf = ({ address, port }: { address: string; port: number }, more: Partial<Remote> = {}): Remote => ({
  address,
  port,
  codec: 'PCMU',
  dtmfType: 101,
  ...more,
});

/** A phone with its session. */
export async function connectPhone(t: Ending, media: Media, more: Partial<Remote> = {}) {
  const [phone, session] = await Promise.all([openPhone(t, undefined, more.srtp), media.open({ near: 'one call' })]);
  await session.setRemote(remoteOf(phone, more));
  return { phone, session };
}

/** A frame of speech that tells which one it is, and is the same in both laws' tables only by chance. */
export const frame = (n: number): Buffer =>
  Buffer.from(Array.from({ length: frameSamples }, (_, at) => (n * 31 + at * 7) % 120));

export async function makeSound(t: Ending, octets: Uint8Array): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sound-'));
  t.after(() => rm(directory, { recursive: true }));
  const path = join(directory, 'sound.ulaw');
  await writeFile(path, octets);
  return path;
}

/** Whether packets are one stream without gaps: every sequence number once, timestamps that do not run back. */
export function isContinuous(heard: Heard[]): boolean {
  return heard.every((packet, n) => {
    const before = heard[n - 1];
    if (!before) return true;
    const step = (packet.timestamp - before.timestamp) | 0;
    return (
      packet.source === before.source && packet.sequence === ((before.sequence + 1) & 0xffff) && step >= frameSamples
    );
  });
}
