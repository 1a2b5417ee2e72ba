import type { Log } from '../log.ts';

/** Work that repeats until it is stopped. */
export interface Loop {
  /** Runs again at once, or as soon as the present run ends. */
  wake(): void;
  /** Lets the present run finish. */
  stop(): Promise<void>;
}

const firstErrorPauseMs = 200;
const longestErrorPauseMs = 5_000;

/** Repeats `run`, which answers how many milliseconds to rest. Errors are logged and tried again ever more slowly. */
export function startLoop(log: Log, name: string, run: () => Promise<number>): Loop {
  let stopping = false;
  let woken = false;
  let endPause: (() => void) | undefined;
  let errorPauseMs = firstErrorPauseMs;

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const repeat = async (): Promise<void> => {
    while (!stopping) {
      woken = false;
      let pauseMs: number;
      try {
        pauseMs = await run();
        errorPauseMs = firstErrorPauseMs;
      } catch (error) {
        log.warn({ error: error instanceof Error ? error.message : String(error) }, `${name}: trying again`);
        pauseMs = errorPauseMs;
        errorPauseMs = Math.min(errorPauseMs * 2, longestErrorPauseMs);
      }
      if (!woken && !stopping && pauseMs > 0) await pause(pauseMs);
    }
  };

  const finished = repeat();
  return {
    wake() {
      woken = true;
      endPause?.();
    },
    stop() {
      stopping = true;
      endPause?.();
      return finished;
    },
  };
}
