import { ahead16 } from '../rtp/rtp.ts';

/** How far behind the newest packet others are still told apart (RFC 3711, 3.3.2 wants 64 at least). */
const windowSize = 128;

/**
 * The packets of one SSRC in one direction: which index of 48 bits a sequence number stands for, and which indexes were seen. The
 * upper 32 bits are the rollover counter, which is in no packet (RFC 3711, 3.3.1).
 */
export interface PacketStream {
  /** Negative: before the first packet. */
  indexOf(sequence: number): number;
  /** Whether it came already, or is too old to be told. */
  isKnown(index: number): boolean;
  /** To be called for packets that are genuine, and no others. */
  note(index: number): void;
}

export function makePacketStream(): PacketStream {
  /** In each place the last index that fell on it. */
  const seen = new Float64Array(windowSize).fill(-1);
  let highest = -1;
  return {
    // Whichever rollover counter brings it nearest to the newest one.
    indexOf: (sequence) => (highest < 0 ? sequence : highest + ahead16(sequence, highest & 0xffff)),
    isKnown: (index) => index <= highest - windowSize || seen[index % windowSize] === index,
    note(index) {
      seen[index % windowSize] = index;
      if (index > highest) highest = index;
    },
  };
}
