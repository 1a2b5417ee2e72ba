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

/** Runs that take less are not worth a rest. */
const shortRunMs = 5;
const longestRestMs = 1000;

export interface LoopOptions {
  /** The part of the time that runs may take. One that took long is followed by a rest, even if it is woken. */
  share?: number;
}

/** Repeats `run`, which answers how many milliseconds to rest. Errors are logged and tried again ever more slowly. */
export function startLoop(log: Log, name: string, run: () => Promise<number>, { share = 1 }: LoopOptions = {}): Loop {
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

  /** A pause that nothing ends but the loop's own end. */
  const rest = async (ms: number): Promise<void> => {
    const endMs = performance.now() + ms;
    for (let leftMs = ms; !stopping && leftMs > 0; leftMs = endMs - performance.now()) await pause(leftMs);
  };

  const repeat = async (): Promise<void> => {
    while (!stopping) {
      woken = false;
      let pauseMs: number;
      const startedMs = performance.now();
      try {
        pauseMs = await run();
        errorPauseMs = firstErrorPauseMs;
      } catch (error) {
        log.warn({ error: error instanceof Error ? error.message : String(error) }, `${name}: trying again`);
        pauseMs = errorPauseMs;
        errorPauseMs = Math.min(errorPauseMs * 2, longestErrorPauseMs);
      }
      const tookMs = performance.now() - startedMs;
      const restMs = tookMs > shortRunMs ? Math.min(longestRestMs, tookMs / share - tookMs) : 0;
      if (restMs > 0) await rest(restMs);
      if (!woken && !stopping && pauseMs > restMs) await pause(pauseMs - restMs);
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
