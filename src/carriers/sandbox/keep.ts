import { isDatabaseAway } from '../../platform/db/connect/failure.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import type { Log } from '../../platform/log.ts';
import { untilStored } from '../../platform/work/retry.ts';
import { insertTaken, type Taken } from './queries.ts';

/** How long a phone network of our own keeps somebody waiting because its database is away. */
const patienceMs = 30_000;

/**
 * Keeps what the sandbox takes. Its memory is in our own database: while that is away the sandbox is slow, and what it has taken
 * has its ids before, so that it takes nothing twice when an answer of the database is lost. False: the database refused, and
 * nothing was taken.
 */
export async function keepTaken(db: Db, log: Log, taken: Taken[]): Promise<boolean> {
  if (taken.length === 0) return true;
  let isAgain = false;
  let refusal: unknown;
  await untilStored(log, AbortSignal.timeout(patienceMs), async () => {
    const inserting = insertTaken(db, taken, isAgain);
    isAgain = true;
    await inserting.catch((error: unknown) => {
      if (isDatabaseAway(error)) throw error;
      refusal = error;
    });
  });
  if (refusal) log.error({ err: refusal }, 'The sandbox could not keep what it was given');
  return refusal === undefined;
}
