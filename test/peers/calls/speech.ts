// What SIPp says, and somebody who listens in its place.
import dgram from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { alawToLinear, rms, sampleRate, toUlaw, ulawToAlaw } from '../../../src/platform/audio/g711.ts';

const frameSamples = 160;
const alaw = 8;

export interface Tone {
  hertz: number;
  /** Of the largest sample that there is. */
  loudness: number;
  seconds: number;
}

/** A tone as SIPp plays it with `play_pcap_audio`: captured packets with A-law, 20 ms each. Answers where it is. */
export async function writeTone(directory: string, tone: Tone): Promise<string> {
  const file = path.join(directory, `tone-${tone.hertz}.pcap`);
  const samples = Int16Array.from({ length: tone.seconds * sampleRate }, (_, at) =>
    Math.round(32_767 * tone.loudness * Math.sin((2 * Math.PI * tone.hertz * at) / sampleRate)),
  );
  const speech = toUlaw(samples).map((octet) => ulawToAlaw[octet]!);
  const frames = Array.from({ length: Math.floor(speech.length / frameSamples) }, (_, number) =>
    capturedFrame(number, speech.subarray(number * frameSamples, (number + 1) * frameSamples)),
  );
  // Version 2.4, up to 65,535 octets each, Ethernet.
  const head = Buffer.from('d4c3b2a1020004000000000000000000ffff000001000000', 'hex');
  await writeFile(file, Buffer.concat([head, ...frames]));
  return file;
}

/** One packet with everything around it; SIPp puts its own addresses there. */
function capturedFrame(number: number, speech: Uint8Array): Buffer {
  const rtp = Buffer.alloc(12);
  rtp.writeUInt8(0x80, 0);
  rtp.writeUInt8(alaw, 1);
  rtp.writeUInt16BE(number & 0xffff, 2);
  rtp.writeUInt32BE(number * frameSamples, 4);
  rtp.writeUInt32BE(0x5170, 8);
  const payload = Buffer.concat([rtp, speech]);
  const udp = Buffer.from([0x27, 0x10, 0x27, 0x10, 0, 0, 0, 0]);
  udp.writeUInt16BE(8 + payload.length, 4);
  const ip = Buffer.from('4500000000000000401100007f0000017f000002', 'hex');
  ip.writeUInt16BE(20 + 8 + payload.length, 2);
  const packet = Buffer.concat([Buffer.from(`${'00'.repeat(12)}0800`, 'hex'), ip, udp, payload]);
  const record = Buffer.alloc(16);
  record.writeUInt32LE(Math.floor(number / 50), 0);
  record.writeUInt32LE((number % 50) * 20_000, 4);
  record.writeUInt32LE(packet.length, 8);
  record.writeUInt32LE(packet.length, 12);
  return Buffer.concat([record, packet]);
}

export interface Ear {
  port: number;
  /** All that came so far. */
  heard(): Int16Array;
  close(): void;
}

/** Listens where a scenario says that its speech is to be sent. */
export async function openEar(host: string): Promise<Ear> {
  const socket = dgram.createSocket('udp4');
  const packets: Buffer[] = [];
  socket.on('message', (packet) => {
    if ((packet[1]! & 0x7f) === alaw) packets.push(packet.subarray(12));
  });
  socket.bind(0, host);
  await once(socket, 'listening');
  return {
    port: socket.address().port,
    heard: () => Int16Array.from(Buffer.concat(packets), (octet) => alawToLinear[octet]!),
    close: () => socket.close(),
  };
}

/** What is left when the first and the last third are not listened to. */
export const middle = (samples: Int16Array): Int16Array =>
  samples.subarray(Math.floor(samples.length * 0.3), Math.floor(samples.length * 0.7));

/**
 * The 20 ms frames in which somebody is heard. On a busy machine a peer sends late and leaves gaps; how long those are is no
 * business of the tests, how loud and how high the voice is between them is.
 */
export function heardFrames(samples: Int16Array): Int16Array {
  const frames = Array.from({ length: Math.floor(samples.length / frameSamples) }, (_, number) =>
    samples.subarray(number * frameSamples, (number + 1) * frameSamples),
  );
  const loudness = frames.map(rms);
  const loudest = loudness.reduce((most, one) => Math.max(most, one), 0);
  const heard = frames.filter((_, number) => loudness[number]! > 0 && loudness[number]! >= 0.8 * loudest);
  return Int16Array.from(heard.flatMap((frame) => [...frame]));
}

/** From how often it goes up through zero. */
export function pitch(samples: Int16Array): number {
  let rises = 0;
  for (let at = 1; at < samples.length; at++) if (samples[at - 1]! < 0 && samples[at]! >= 0) rises++;
  return (rises * sampleRate) / samples.length;
}
