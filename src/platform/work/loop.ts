import type { Log } from '../log.ts';
import { pollMs, type Watch } from './poll.ts';

/** Work that repeats until it is stopped. */
export interface Loop {
  /** Runs again at once, or as soon as the present run ends. */
  wake(): void;
  /** Lets the present run finish. */
  stop(): Promise<void>;
}

const firstErrorPauseMs = 200;
const longestErrorPauseMs = 5_000;

/** A run that took less than this is not followed by a rest. */
const shortRunMs = 5;
const longestRestMs = 1000;
/** After this long it runs, even if the watch keeps saying that there is nothing to do. */
const longestIdleMs = 30_000;

export interface LoopOptions {
  /** The share of the time that runs may take. A long run is followed by a rest, even if the loop is woken. */
  share?: number;
  /**
   * Says when there may be something to do. Until then nothing runs, neither at the start nor after a run that asks for a pause of a second
   * or more; but it runs by itself every now and then.
   */
  watch?: Watch;
}

/** Repeats `run`, which answers how many milliseconds to rest. Errors are logged and tried again ever more slowly. */
export function startLoop(
  log: Log,
  name: string,
  run: () => Promise<number>,
  { share = 1, watch }: LoopOptions = {},
): Loop {
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

  /** A pause of about `ms` if there is something to do then, and of many times that if there is not. */
  const idle = async (ms: number, { listen }: Watch): Promise<void> => {
    const sinceMs = performance.now() + ms - pollMs;
    const end = listen(() => {
      if (performance.now() >= sinceMs) endPause?.();
    });
    await pause(longestIdleMs);
    end();
  };

  const repeat = async (): Promise<void> => {
    if (watch) await idle(0, watch);
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
      if (woken || stopping || pauseMs <= restMs) continue;
      await (watch && pauseMs >= pollMs ? idle(pauseMs - restMs, watch) : pause(pauseMs - restMs));
    }
    watch?.close();
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
