import { ahead16, sequenceOf, sourceOf, timestampOf } from './rtp.ts';

/** How well a person's packets arrive (RFC 3550, A.3 and A.8). */
export interface Reception {
  readonly received: number;
  readonly lost: number;
  readonly jitterMs: number;
  take(packet: Uint8Array, nowMs: number): void;
}

const longestGap = 3_000;

export function makeReception(): Reception {
  let received = 0;
  let source = -1;
  let highest = 0;
  /** Of this stretch of the stream: numbers passed over, and packets that came. */
  let expected = 0;
  let came = 0;
  let lostBefore = 0;
  let transit = 0;
  let jitter = 0;

  const lostNow = (): number => Math.max(0, expected - came);

  return {
    get received() {
      return received;
    },
    get lost() {
      return lostBefore + lostNow();
    },
    get jitterMs() {
      return jitter / 8;
    },
    take(packet, nowMs) {
      const sequence = sequenceOf(packet);
      const ahead = ahead16(sequence, highest);
      const nowTransit = (nowMs * 8 - timestampOf(packet)) | 0;
      received++;
      if (sourceOf(packet) !== source || Math.abs(ahead) > longestGap) {
        lostBefore += lostNow();
        source = sourceOf(packet);
        highest = sequence;
        expected = came = 1;
      } else {
        came++;
        if (ahead > 0) {
          expected += ahead;
          highest = sequence;
        }
        // The first packet that arrived was not the first that was sent.
        if (-ahead >= expected) expected = 1 - ahead;
        const change = Math.abs((nowTransit - transit) | 0);
        // A leap of the timestamps is no jitter.
        if (change < 8_000) jitter += (change - jitter) / 16;
      }
      transit = nowTransit;
    },
  };
}
