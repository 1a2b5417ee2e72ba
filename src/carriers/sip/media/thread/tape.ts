import { alawToUlaw, sampleRate, ulawSilence } from '../../../../platform/audio/g711.ts';
import type { WavWriter } from '../../../../platform/audio/wav.ts';
import { ahead32, sourceOf, timestampOf } from '../rtp/rtp.ts';
import { Kind, type Tap } from './session.ts';

/**
 * A recording: one channel for each person, with what that person says. Packets are laid down by their timestamps, so loss is
 * silence and a packet that was overtaken still finds its place; only where a stream begins (or begins anew, or leaps) does
 * the clock decide. The last seconds stay in memory; what is older is written.
 */
export interface Tape {
  tap(channel: number): Tap;
  /** Writes what is old enough. To be called now and then. */
  review(nowMs: number): void;
  /** Writes the rest, up to now. */
  finish(nowMs: number): void;
}

const windowSamples = 4 * sampleRate;
/** Packets later than this are left out. */
const latestSamples = sampleRate;
/** Written in pieces of a second. */
const pieceSamples = sampleRate;
/** What is farther than that from where the clock would put it was a leap of the sender's timestamps. */
const leapSamples = sampleRate;

interface Channel {
  source: number;
  /** A timestamp, and where it is on the tape. */
  timestamp: number;
  position: number;
}

export function makeTape(writer: WavWriter, channels: number, startMs: number): Tape {
  const window = Buffer.alloc(windowSamples * channels, ulawSilence);
  /** Samples that are written: the window begins there. */
  let written = 0;

  const positionAt = (nowMs: number): number => Math.max(0, Math.round(((nowMs - startMs) * sampleRate) / 1000));

  function writeUpTo(position: number): void {
    while (written < position) {
      const from = written % windowSamples;
      const count = Math.min(position - written, windowSamples - from);
      const part = window.subarray(from * channels, (from + count) * channels);
      writer.write(Buffer.from(part));
      part.fill(ulawSilence);
      written += count;
    }
  }

  /** Where this packet belongs. */
  function place(channel: Channel, packet: Buffer, nowMs: number): number {
    const timestamp = timestampOf(packet);
    const now = positionAt(nowMs);
    const position = channel.position + ahead32(timestamp, channel.timestamp);
    if (sourceOf(packet) === channel.source && Math.abs(position - now) <= leapSamples) {
      // The reference moves along: a 32-bit distance is enough for three days only.
      if (position > channel.position) Object.assign(channel, { timestamp, position });
      return position;
    }
    Object.assign(channel, { source: sourceOf(packet), timestamp, position: now });
    return now;
  }

  return {
    tap(index) {
      const channel: Channel = { source: -1, timestamp: 0, position: 0 };
      return (packet, start, end, kind, nowMs) => {
        const position = place(channel, packet, nowMs);
        const last = position + end - start;
        if (last - written > windowSamples) writeUpTo(last - windowSamples);
        for (let n = Math.max(position, written); n < last; n++) {
          const octet = packet[start + n - position]!;
          window[(n % windowSamples) * channels + index] = kind === Kind.alaw ? alawToUlaw[octet]! : octet;
        }
      };
    },
    review(nowMs) {
      const old = positionAt(nowMs) - latestSamples;
      if (old - written >= pieceSamples) writeUpTo(old);
    },
    finish(nowMs) {
      writeUpTo(positionAt(nowMs));
    },
  };
}
