import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/db/pool.ts';
import { findCalledNumber } from '../numbers/index.ts';
import { closeCall } from './end.ts';
import { type Lost, lockLostAnyAccount } from './under-way-queries.ts';

const mostAtOnce = 100;

/** Closes calls that nobody has any more, from what is known of them. Answers how many there were. */
export const recoverLost = (deps: Deps): Promise<number> =>
  inTransaction(deps.db, async (db) => {
    const lost = await lockLostAnyAccount(db, mostAtOnce);
    for (const row of lost) {
      const number = await findCalledNumber(db, row.account_id, row.number_digits);
      const closing = { ...endingOf(row), at: lastSeen(deps, row), number };
      await closeCall(db, deps, row, closing);
    }
    if (lost.length > 0) deps.log.warn({ count: lost.length }, 'Closed calls whose process is gone');
    return lost.length;
  });

function endingOf({ claimed_by, answered_at }: Lost) {
  if (claimed_by === null) {
    const description = 'No process could carry the call in time.';
    return { result: 'FAILED', by: 'PLATFORM', code: 503, description } as const;
  }
  const description = 'The server was interrupted during the call.';
  return answered_at === null
    ? ({ result: 'FAILED', by: 'PLATFORM', code: 500, description } as const)
    : ({
        result: 'ANSWERED',
        by: 'PLATFORM',
        code: 200,
        description: `${description} It lasted at least so long.`,
      } as const);
}

/** The latest moment at which the call is known to have been under way; all of them by the time of its carrier. */
function lastSeen({ voice, clock }: Deps, { account_id, carrier, seen_at, answered_at, started_at }: Lost): Date {
  const known = [seen_at, answered_at, started_at].filter((at) => at !== null).map((at) => Date.parse(at));
  if (known.length > 0) return new Date(Math.max(...known));
  return voice.get(carrier)?.clock(account_id).now() ?? clock.now();
}
