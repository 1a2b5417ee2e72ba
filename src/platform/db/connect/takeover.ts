import type { Log } from '../../log.ts';
import { pause } from '../../time/pause.ts';
import type { Listener } from './listener.ts';

const [tries, triesMs] = [30, 1_000];

/**
 * Does this whenever a standby has taken over. What fails is tried again for half a minute, and then logged as `failure`.
 */
export function onTakeover(
  { listener, log }: { listener: Listener; log: Log },
  failure: string,
  work: () => Promise<void>,
): { stop(): Promise<void> } {
  let isStopped = false;
  let working = Promise.resolve();
  async function workInTime(): Promise<void> {
    for (let tried = 1; tried <= tries && !isStopped; tried++) {
      try {
        return await work();
      } catch (error) {
        if (tried === tries) log.error({ err: error }, failure);
        else await pause(triesMs);
      }
    }
  }
  listener.onTakeover(() => {
    working = working.then(workInTime);
  });
  return {
    async stop() {
      isStopped = true;
      await working;
    },
  };
}
