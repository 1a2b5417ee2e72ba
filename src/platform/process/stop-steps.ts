import type { Log } from '../log.ts';
import { within } from '../time/pause.ts';

/** What has to be undone at the end, the last thing first. */
export interface StopSteps {
  /** `name` is what the log says when it does not end in time, which is later by `moreMs` than for others, for all that follow, too. */
  add(name: string, step: () => Promise<unknown>, moreMs?: number): void;
  /** Takes all of them. One that fails or hangs does not keep the others from being taken; throws the first failure. */
  run(): Promise<void>;
}

export interface StopTimes {
  /** For one step: more than the usual time for an answer of the chat platform, which is waited for. */
  stepMs: number;
  /** For all; who kills processes that do not end usually waits for 30 seconds. */
  totalMs: number;
  /** For each step that is left when the time is over. */
  lateMs: number;
}

const usualTimes: StopTimes = { stepMs: 22_000, totalMs: 25_000, lateMs: 250 };

export function makeStopSteps(log: Log, times: StopTimes = usualTimes): StopSteps {
  const steps: { name: string; step: () => Promise<unknown>; moreMs: number }[] = [];
  return {
    add(name, step, moreMs = 0) {
      steps.push({ name, step, moreMs });
    },
    async run() {
      const failures: unknown[] = [];
      let endMs = performance.now() + times.totalMs;
      for (const { name, step, moreMs } of steps.splice(0).reverse()) {
        endMs += moreMs;
        const leftMs = Math.max(endMs - performance.now(), times.lateMs);
        const ended = attempt(step).then(
          () => true,
          (error) => {
            failures.push(error);
            return true;
          },
        );
        if (!(await within(Math.min(times.stepMs + moreMs, leftMs), ended))) {
          log.error({ name }, `${name}: did not stop in time, and is left behind`);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

const attempt = async (step: () => Promise<unknown>): Promise<unknown> => step();

/**
 * What runs in this process for others to find, by its name: whoever starts it puts it here, and takes it away when it stops. It is
 * made with the dependencies, so that two processes in one test do not meet.
 */
export interface Running {
  of<T>(name: string): { get(): T | undefined; set(value: T | undefined): void };
}

export function makeRunning(): Running {
  const running = new Map<string, unknown>();
  return {
    of: <T>(name: string) => ({
      get: () => running.get(name) as T | undefined,
      set: (value) => void running.set(name, value),
    }),
  };
}
