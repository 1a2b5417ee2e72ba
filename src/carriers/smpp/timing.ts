import { steadyMs } from '../../platform/time/clock.ts';

/** Where sessions and links get the time from, so that tests can move it. */
export interface Timing {
  /** Milliseconds since 1970. */
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
