import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.ts';

/** How what a carrier puts off is tried again, and how what it took is not forgotten. */

/** What keeps being put off is given up after this long. */
export const longestTryMs = 4 * 3_600_000;
export const firstPauseMs = 2_000;
const longestPauseMs = 15 * 60_000;
const mostStoreTries = 60;
const storePauseMs = 1000;

/**
 * Twice as long after each attempt, with jitter so that many do not come back in the same moment. A pause that was asked for
 * is kept to: those who wait their turn must not overtake each other.
 */
export function retryPauseMs(attempts: number, wantedMs: number | undefined): number {
  if (wantedMs !== undefined) return wantedMs;
  return Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs) * (0.8 + Math.random() * 0.4);
}

/** The messages are with the carrier: how that ended must not get lost because the database is away for a moment. */
export async function untilStored(log: Log, store: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await store();
    } catch (error) {
      if (tries === mostStoreTries) throw error;
      log.warn({ error: (error as Error).message }, 'The outcome of a hand-over could not be stored yet');
      await sleep(storePauseMs);
    }
  }
}
