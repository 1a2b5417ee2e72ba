import { steadyMs } from '../../../../platform/time/clock.ts';

/** Where signalling gets the time from, so that tests can move it. */
export interface Timing {
  nowMs(): number;
  /** Runs later, unless what it returns was called before. */
  after(ms: number, run: () => void): () => void;
}

export const systemTiming: Timing = {
  nowMs: steadyMs,
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** RFC 3261 17.1.1.1: the estimate of a round trip, the longest wait between two tries, and how long the network keeps a message. */
export const t1Ms = 500;
export const t2Ms = 4_000;
export const t4Ms = 5_000;
/** After which nobody answers any more (timers B, F, H, J, L, M). */
export const giveUpMs = 64 * t1Ms;
/** Timer D: how long retransmitted refusals of an INVITE may still come. */
export const lingerMs = 32_000;
