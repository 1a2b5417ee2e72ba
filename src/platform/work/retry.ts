import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway } from '../db/connect/failure.ts';
import type { Log } from '../log.ts';

/** How what a carrier puts off is tried again, and how what it took is not forgotten. */

/** A message that keeps being put off is given up after this long. */
export const longestTryMs = 4 * 3_600_000;
export const firstPauseMs = 2_000;
const longestPauseMs = 15 * 60_000;
const firstStorePauseMs = 100;
const longestStorePauseMs = 2_000;
/** How often to try what the database refuses although it is there. */
const mostRefusals = 10;

/**
 * Twice as long after each attempt, with jitter so that many do not come back in the same moment. A pause that was asked for
 * is kept to: those who wait their turn must not overtake each other.
 */
export function retryPauseMs(attempts: number, wantedMs: number | undefined): number {
  if (wantedMs !== undefined) return wantedMs;
  return Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs) * (0.8 + Math.random() * 0.4);
}

/**
 * Stores an outcome. What it is about cannot be done again, so the outcome must not get lost while the database is away, however
 * long that takes. It gives up when `ending` says that the process ends, and when the database keeps refusing: then recovery finds
 * the outcome.
 */
export async function untilStored(
  log: Log,
  ending: AbortSignal,
  store: () => Promise<void>,
  pauseMs: (tries: number) => number = storePauseMs,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await store();
    } catch (error) {
      if (ending.aborted || (tries >= mostRefusals && !isDatabaseAway(error))) throw error;
      log.warn({ error: (error as Error).message }, 'The outcome of a hand-over could not be stored yet');
      await sleep(pauseMs(tries), undefined, { signal: ending }).catch(() => {});
    }
  }
}

const storePauseMs = (tries: number): number =>
  Math.min(firstStorePauseMs * 2 ** (tries - 1), longestStorePauseMs) * (0.8 + Math.random() * 0.4);
