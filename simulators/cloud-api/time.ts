import type { Clock } from '../../src/platform/time/clock.ts';

/**
 * The simulator's time. Moments come from the clock (moved by `advance`); waits are divided by `speed`, so that a test
 * at speed 1,000 sees a template reviewed in milliseconds while timestamps stay today's.
 */
export interface Time {
  now(): Date;
  /** Unix seconds, as webhooks print them: not moved, because who hears them lives in real time and believes no future. */
  seconds(): number;
  /** Milliseconds that have passed for rates and quotas: those of the clock times the speed. */
  elapsedMs(): number;
  /** Runs later; forgotten when the simulator closes. */
  later(delayMs: number, run: () => void): void;
  /** Moves the clock; what was due by then runs at once. */
  advance(ms: number): void;
  waiting(): number;
  close(): void;
}

interface Timer {
  /** On `elapsedMs`' scale. */
  due: number;
  run: () => void;
  handle: NodeJS.Timeout | undefined;
}

/** Node's longest timer; anything later is looked at again then. */
const longestMs = 2 ** 31 - 1;

export function makeTime(clock: Clock, speed: number): Time {
  const start = clock.now().getTime();
  const timers = new Set<Timer>();
  let movedMs = 0;
  const elapsedMs = () => (clock.now().getTime() - start) * speed + movedMs;

  function arm(timer: Timer, waitMs: number): void {
    clearTimeout(timer.handle);
    timer.handle = setTimeout(
      () => {
        if (waitMs / speed > longestMs) return arm(timer, waitMs - longestMs * speed);
        timers.delete(timer);
        timer.run();
      },
      Math.min(longestMs, Math.max(0, waitMs / speed)),
    );
  }

  return {
    now: () => new Date(clock.now().getTime() + movedMs),
    seconds: () => Math.floor(clock.now().getTime() / 1000),
    elapsedMs,
    later(delayMs, run) {
      const timer: Timer = { due: elapsedMs() + delayMs, run, handle: undefined };
      timers.add(timer);
      arm(timer, delayMs);
    },
    advance(ms) {
      movedMs += ms;
      for (const timer of timers) arm(timer, timer.due - elapsedMs());
    },
    waiting: () => timers.size,
    close() {
      for (const timer of timers) clearTimeout(timer.handle);
      timers.clear();
    },
  };
}
