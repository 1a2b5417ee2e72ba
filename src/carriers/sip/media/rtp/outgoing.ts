import { randomInt } from 'node:crypto';
import { ahead16, ahead32, frameSamples, marker, sequenceOf, sourceOf, timestampOf, writeHead } from './rtp.ts';

/**
 * What one person receives from us: one stream with one SSRC from the first packet to the last, whoever is heard in it. Prompts
 * count on from where it stands; a relayed stream is moved to there by a fixed distance, so that its losses and its order
 * stay visible to the receiver.
 */
export interface Outgoing {
  readonly sent: number;
  /** Before the first of our own frames after a pause: the pause is in the timestamps, too. */
  resume(nowMs: number): void;
  /** Heads a frame of ours, whose payload stands after the head. */
  stampOwn(packet: Uint8Array, typeAndMarker: number): void;
  /** Heads a telephone event of ours; `first` begins a key, and the others repeat its timestamp (RFC 4733, 2.5.1.3). */
  stampEvent(packet: Uint8Array, typeAndMarker: number, first: boolean): void;
  /**
   * Heads a packet of somebody else's stream, in place, `at` twelve octets before its payload; false when it is older than
   * what was relayed first, and has no place any more.
   */
  stampRelayed(packet: Uint8Array, at: number, type: number, samples: number, nowMs: number): boolean;
  /** A packet of the relayed stream that is kept back: no gap for the receiver. */
  skipRelayed(): void;
  /** The next relayed packet begins anew. */
  cut(): void;
}

/** Beyond that a stream has begun anew without saying so (RFC 3550, A.1: MAX_DROPOUT; the timestamp: ten seconds). */
const longestGap = 3_000;
const longestLeap = 80_000;

export function makeOutgoing(startMs: number): Outgoing {
  const ssrc = randomInt(2 ** 32);
  const firstTimestamp = randomInt(2 ** 32);
  let sequence = randomInt(2 ** 16);
  let timestamp = firstTimestamp;
  let sent = 0;
  let eventTimestamp = 0;
  // How far the relayed stream is moved, and how many sequence numbers ago that began.
  let relaying = false;
  let relayed = 0;
  let sequenceShift = 0;
  let timestampShift = 0;
  let sinceShift = 0;

  function resume(nowMs: number): void {
    const due = (firstTimestamp + Math.round((nowMs - startMs) * 8)) >>> 0;
    if (ahead32(due, timestamp) > 0) timestamp = due;
  }

  /** Moves the stream that this packet begins to where we stand. */
  function shift(packet: Uint8Array, nowMs: number): void {
    resume(nowMs);
    relaying = true;
    relayed = sourceOf(packet);
    sequenceShift = sequence - sequenceOf(packet);
    timestampShift = timestamp - timestampOf(packet);
    sinceShift = 0;
  }

  const isLeap = (packet: Uint8Array): boolean =>
    sourceOf(packet) !== relayed ||
    Math.abs(ahead16(sequenceOf(packet) + sequenceShift, sequence)) > longestGap ||
    Math.abs(ahead32(timestampOf(packet) + timestampShift, timestamp)) > longestLeap;

  return {
    get sent() {
      return sent;
    },
    resume,
    stampOwn(packet, typeAndMarker) {
      writeHead(packet, 0, typeAndMarker, sequence, timestamp, ssrc);
      sequence = (sequence + 1) & 0xffff;
      timestamp = (timestamp + frameSamples) >>> 0;
      relaying = false;
      sent++;
    },
    stampEvent(packet, typeAndMarker, first) {
      if (first) eventTimestamp = timestamp;
      writeHead(packet, 0, typeAndMarker, sequence, eventTimestamp, ssrc);
      sequence = (sequence + 1) & 0xffff;
      timestamp = (timestamp + frameSamples) >>> 0;
      relaying = false;
      sent++;
    },
    stampRelayed(packet, at, type, samples, nowMs) {
      let mark = packet[1]! & marker;
      if (!relaying || isLeap(packet)) {
        shift(packet, nowMs);
        mark = marker;
      }
      const place = (sequenceOf(packet) + sequenceShift) & 0xffff;
      const moved = (timestampOf(packet) + timestampShift) >>> 0;
      const ahead = ahead16(place, sequence);
      if (ahead < -sinceShift) return false;
      if (ahead >= 0) {
        sequence = (place + 1) & 0xffff;
        sinceShift += ahead + 1;
        const end = (moved + samples) >>> 0;
        if (ahead32(end, timestamp) > 0) timestamp = end;
      }
      writeHead(packet, at, type | mark, place, moved, ssrc);
      sent++;
      return true;
    },
    skipRelayed() {
      sequenceShift--;
    },
    cut() {
      relaying = false;
    },
  };
}
