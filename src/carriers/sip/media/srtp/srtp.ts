// SRTP (RFC 3711) with AES in counter mode and HMAC-SHA1. Of a packet the header stays readable, the payload is encrypted, and a tag
// behind it covers both.
import { createCipheriv, hash, timingSafeEqual } from 'node:crypto';
import { headLength, payloadStart, sequenceOf, sourceOf } from '../rtp/rtp.ts';
import { deriveKeys } from './derive.ts';
import { makePacketStream, type PacketStream } from './stream.ts';
import { type Suite, suites } from './suites.ts';

export interface Sealer {
  /** The packet as it goes on the wire; undefined: its number was used already, and would give two packets one key stream. */
  seal(packet: Buffer): Buffer | undefined;
}

export interface Opener {
  /** The packet in the clear, in place; undefined: it is forged, broken, or was here before. */
  open(packet: Buffer): Buffer | undefined;
}

/** A peer that begins anew takes another SSRC. Only genuine packets make one known. */
const mostSources = 8;
/** More than any network carries in one piece. */
const mostOctets = 2_000;

const blockOctets = 16;

/** What is done to each packet, with everything made ready that does not depend on it. */
interface Work {
  /** Encrypts the payload that begins at `start`, or decrypts it, in place. */
  crypt(packet: Buffer, start: number, index: number): void;
  tag(signed: Buffer, index: number): Buffer;
}

/**
 * One cipher for all packets of a direction: it encrypts the counters, whose result is the key stream. A new cipher in counter mode for
 * each packet costs several times as much, and so does an HMAC object.
 */
function makeWork(suite: Suite, master: string): Work {
  const { cipherKey, salt, authKey } = deriveKeys(suite, master);
  const { cipher, tagOctets } = suites[suite];
  const blocks = createCipheriv(cipher.replace('ctr', 'ecb'), cipherKey, null).setAutoPadding(false);
  const hmac = makeHmac(authKey);
  return {
    crypt(packet, start, index) {
      // RFC 3711, 4.1.1: the salt, the SSRC and the index, each in its place, and a counter of blocks.
      const counters = Buffer.alloc(Math.ceil((packet.length - start) / blockOctets) * blockOctets);
      if (counters.length === 0) return;
      counters.writeUInt32BE(sourceOf(packet), 4);
      counters.writeUIntBE(index, 8, 6);
      for (let n = 0; n < salt.length; n++) counters[n]! ^= salt[n]!;
      for (let at = blockOctets; at < counters.length; at += blockOctets) {
        counters.copyWithin(at, 0, 14);
        counters.writeUInt16BE(at / blockOctets, at + 14);
      }
      const stream = blocks.update(counters);
      for (let n = start; n < packet.length; n++) packet[n]! ^= stream[n - start]!;
    },
    // RFC 3711, 4.2: over the packet and the rollover counter.
    tag: (signed, index) => hmac(signed, Math.floor(index / 0x10000)).subarray(0, tagOctets),
  };
}

/** HMAC-SHA1 (RFC 2104) over octets and a number of 32 bits behind them. */
function makeHmac(key: Buffer): (octets: Buffer, number: number) => Buffer {
  const hashBlock = 64;
  const inner = Buffer.alloc(hashBlock + 2_048, 0x36);
  const outer = Buffer.alloc(hashBlock + 20, 0x5c);
  for (const pad of [inner, outer]) for (let n = 0; n < key.length; n++) pad[n]! ^= key[n]!;
  return (octets, number) => {
    const end = hashBlock + octets.length;
    octets.copy(inner, hashBlock);
    inner.writeUInt32BE(number, end);
    hash('sha1', inner.subarray(0, end + 4), 'buffer').copy(outer, hashBlock);
    return hash('sha1', outer, 'buffer');
  };
}

export function makeSealer(suite: Suite, master: string): Sealer {
  const { crypt, tag } = makeWork(suite, master);
  const { tagOctets } = suites[suite];
  const streams = new Map<number, PacketStream>();
  return {
    seal(packet) {
      const stream = streams.get(sourceOf(packet)) ?? makePacketStream();
      const index = stream.indexOf(sequenceOf(packet));
      const start = payloadStart(packet);
      if (start < 0 || packet.length > mostOctets || index < 0 || stream.isKnown(index)) return undefined;
      stream.note(index);
      remember(streams, sourceOf(packet), stream);
      const sealed = Buffer.allocUnsafe(packet.length + tagOctets);
      packet.copy(sealed);
      const signed = sealed.subarray(0, packet.length);
      crypt(signed, start, index);
      tag(signed, index).copy(sealed, packet.length);
      return sealed;
    },
  };
}

export function makeOpener(suite: Suite, master: string): Opener {
  const { crypt, tag } = makeWork(suite, master);
  const { tagOctets } = suites[suite];
  const streams = new Map<number, PacketStream>();
  return {
    open(packet) {
      const end = packet.length - tagOctets;
      if (end < headLength || packet.length > mostOctets) return undefined;
      const signed = packet.subarray(0, end);
      const start = payloadStart(signed);
      if (start < 0) return undefined;
      const source = sourceOf(packet);
      const stream = streams.get(source) ?? makePacketStream();
      const index = stream.indexOf(sequenceOf(packet));
      if (index < 0 || stream.isKnown(index)) return undefined;
      if (!timingSafeEqual(tag(signed, index), packet.subarray(end))) return undefined;
      stream.note(index);
      remember(streams, source, stream);
      // The socket's buffer is this packet's alone.
      crypt(signed, start, index);
      return signed;
    },
  };
}

function remember(streams: Map<number, PacketStream>, source: number, stream: PacketStream): void {
  if (streams.has(source)) return;
  if (streams.size >= mostSources) streams.delete(streams.keys().next().value!);
  streams.set(source, stream);
}
