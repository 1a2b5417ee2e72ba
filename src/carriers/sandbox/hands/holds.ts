import { setTimeout as sleep } from 'node:timers/promises';
import type { Listener } from '../../../platform/db/connect/listener.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import type { Log } from '../../../platform/log.ts';
import { readHeldMs } from './hold-queries.ts';

/** Phones that somebody has in their hand: what happens to their calls is up to that person. */
export interface Holds {
  isHeld(accountId: string, number: string): Promise<boolean>;
  /** Done when nobody holds the phone any more, or when it does not matter any more. */
  letGo(accountId: string, number: string, signal: AbortSignal): Promise<void>;
}

/** Somebody took a phone, or let go of one. */
export const holdsTopic = 'sandbox-holds';
const retryMs = 1000;

export function followHolds({ db, listener, log }: { db: Db; listener: Listener; log: Log }): Holds {
  let changed = new AbortController();
  listener.on(holdsTopic, () => {
    changed.abort();
    changed = new AbortController();
  });
  /** When it cannot be read, nobody is cut off for that. */
  const heldMs = (accountId: string, number: string): Promise<number> =>
    readHeldMs(db, accountId, number).catch((error) => {
      log.warn({ err: error }, 'Who holds a phone of the sandbox could not be read');
      return retryMs;
    });

  return {
    isHeld: async (accountId, number) => (await readHeldMs(db, accountId, number).catch(() => 0)) > 0,
    async letGo(accountId, number, signal) {
      while (!signal.aborted) {
        // A notice that comes while it is read counts, too.
        const wake = AbortSignal.any([signal, changed.signal]);
        const leftMs = await heldMs(accountId, number);
        if (leftMs === 0) return;
        await sleep(Math.ceil(leftMs), undefined, { signal: wake }).catch(() => {});
      }
    },
  };
}
