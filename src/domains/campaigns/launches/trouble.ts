import type { Db } from '../../../platform/db/connect/pool.ts';
import { optedOutCode } from '../../outbox/index.ts';
import { channels } from '../feed/channels.ts';
import type { LogRow } from '../logs/queries.ts';
import { type Counts, countOf } from './counts.ts';

/** So many failures in a row are no chance any more. */
const inARow = 25;

/**
 * Why a launch should not go on: the last messages that ended all failed. Those that ended before it was resumed do not count.
 * While few have failed it costs nothing.
 */
export async function findTrouble(db: Db, log: LogRow, counts: Counts): Promise<string | undefined> {
  if (countOf(counts, 'failed') < inARow) return undefined;
  const { account_id, uuid, snapshot, resumed_after: after } = log;
  const last = await channels[snapshot.channel].lastEnded(db, account_id, uuid, {
    ...(after !== null && { after }),
    most: inARow,
  });
  if (last.length < inARow || !last.every(isFailure)) return undefined;
  return `The last ${inARow} messages failed, most of them so: ${mostFrequent(last)}`;
}

/** Who opted out while the message waited is no trouble of the launch. */
const isFailure = ({ status, failure_code }: { status: string; failure_code: string | null }): boolean =>
  status === 'FAILED' && failure_code !== optedOutCode;

function mostFrequent(ended: { status_description: string }[]): string {
  const groups = Map.groupBy(ended, ({ status_description }) => status_description);
  return [...groups].sort(([, a], [, b]) => b.length - a.length)[0]![0];
}
