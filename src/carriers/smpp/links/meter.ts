import type { Timing } from '../session/session.ts';

export interface Counts {
  /** Taken by the centre. */
  sent: number;
  /** Refused, or left without an answer. */
  failed: number;
  /** Told to slow down; these are among the failed. */
  throttled: number;
}

export interface Readings {
  lastMinute: Counts;
  lastFiveMinutes: Counts;
  /** Of the last five minutes; null when there was no answer. */
  latencyMs: { p50: number; p99: number } | null;
}

/** Counts what happened in the last five minutes, in slots of ten seconds: about 8 KB, whatever the traffic. */
export interface Meter {
  count(what: keyof Counts): void;
  latency(ms: number): void;
  read(): Readings;
}

interface Slot extends Counts {
  /** Which ten seconds since 1970 it is about. */
  number: number;
  latencies: Uint32Array;
}

const slotMs = 10_000;
const slotsKept = 30;
const slotsPerMinute = 6;
/** Four steps per doubling: the last begins at 55 seconds, and a figure is right within a tenth. */
const steps = 64;
const stepOf = (ms: number): number => Math.min(steps - 1, Math.floor(4 * Math.log2(Math.max(0, ms) + 1)));
const msOf = (step: number): number => Math.round(2 ** ((step + 0.5) / 4) - 1);

export function makeMeter(timing: Timing): Meter {
  const slots: Slot[] = [];

  function current(): Slot {
    const number = Math.floor(timing.nowMs() / slotMs);
    const found = slots[number % slotsKept];
    if (found?.number === number) return found;
    const slot = { number, sent: 0, failed: 0, throttled: 0, latencies: new Uint32Array(steps) };
    slots[number % slotsKept] = slot;
    return slot;
  }

  return {
    count(what) {
      current()[what]++;
    },
    latency(ms) {
      current().latencies[stepOf(ms)]!++;
    },
    read() {
      const { number } = current();
      const since = (count: number) => slots.filter((slot) => slot && slot.number > number - count);
      const recent = since(slotsKept);
      return { lastMinute: sum(since(slotsPerMinute)), lastFiveMinutes: sum(recent), latencyMs: quantiles(recent) };
    },
  };
}

function sum(slots: Slot[]): Counts {
  const total = { sent: 0, failed: 0, throttled: 0 };
  for (const { sent, failed, throttled } of slots) {
    total.sent += sent;
    total.failed += failed;
    total.throttled += throttled;
  }
  return total;
}

function quantiles(slots: Slot[]): Readings['latencyMs'] {
  const counts = Array.from({ length: steps }, (_, step) =>
    slots.reduce((total, { latencies }) => total + latencies[step]!, 0),
  );
  const total = counts.reduce((one, other) => one + other, 0);
  if (total === 0) return null;
  const at = (part: number): number => {
    let left = Math.ceil(total * part);
    const step = counts.findIndex((count) => {
      left -= count;
      return left <= 0;
    });
    return msOf(step);
  };
  return { p50: at(0.5), p99: at(0.99) };
}
