import { ahead32, timestampOf } from './rtp.ts';

/**
 * Keys from telephone events (RFC 4733). Every packet of one press has the same timestamp and the last one comes three times,
 * so a press is told once for each timestamp: at its end, or, if all its ends were lost, when the next press begins or when
 * nothing more has come for a while.
 */
export interface KeysIn {
  take(packet: Uint8Array, start: number, end: number, nowMs: number): void;
  /** To be called now and then. */
  review(nowMs: number): void;
}

const keys = '0123456789*#ABCD';
const endBit = 0x80;
/** Updates come every 20 to 50 ms. */
const patienceMs = 250;

export function makeKeysIn(onKey: (key: string) => void): KeysIn {
  let timestamp: number | undefined;
  let key: string | undefined;
  let told = true;
  let lastMs = 0;

  function tell(): void {
    told = true;
    if (key !== undefined) onKey(key);
  }

  return {
    take(packet, start, end, nowMs) {
      if (end - start < 4) return;
      const of = timestampOf(packet);
      const isNew = timestamp === undefined || ahead32(of, timestamp) > 0;
      // Of a press before the present one: late, or a copy.
      if (!isNew && of !== timestamp) return;
      if (isNew) {
        if (!told) tell();
        timestamp = of;
        key = keys[packet[start]!];
        told = false;
      }
      lastMs = nowMs;
      if (!told && packet[start + 1]! & endBit) tell();
    },
    review(nowMs) {
      if (!told && nowMs - lastMs > patienceMs) tell();
    },
  };
}
