import type { Db } from '../../../platform/db/connect/pool.ts';
import { readTallies } from '../../tallies/index.ts';
import { findDue } from '../audience/recipient-queries.ts';
import { type Counts, countOf } from '../launches/counts.ts';
import type { LogRow } from './queries.ts';

/** A launch with what was counted of it: looked up, never counted, so a million recipients cost what ten do. */
export interface CountedLog {
  log: LogRow;
  counts: Counts;
  /** When the first of those that are held may be written to. */
  firstDue: string | undefined;
  /** When the last of those that are held may be written to. */
  lastDue: string | undefined;
}

export async function readLogs(db: Db, accountId: string, logs: LogRow[]): Promise<CountedLog[]> {
  const tallies = await readTallies(
    db,
    accountId,
    logs.map(({ uuid }) => uuid),
  );
  return Promise.all(
    logs.map(async (log) => {
      const counts = tallies.get(log.uuid)!;
      const isHolding = (log.status === 'RUNNING' || log.status === 'PAUSED') && countOf(counts, 'held') > 0;
      const { first, last } = isHolding ? await findDue(db, log) : {};
      return { log, counts, firstDue: first, lastDue: last };
    }),
  );
}
