import type { Deps } from '../../deps.ts';
import type { Move, Standing } from './moves.ts';

/** The task that hears of what failed and was sent for no campaign: whoever sent it may have to do something else. */
export const failedTask = 'outbox.failed';

export interface Failed {
  accountId: string;
  /** Of the message or the SMS. */
  uuid: string;
  description: string;
}

/** Passes on which of these changes are failures, in the caller's transaction. */
export async function tellFailures(
  { db, queue }: Pick<Deps, 'db' | 'queue'>,
  locked: ReadonlyMap<string, Standing>,
  changes: ReadonlyMap<string, Move>,
): Promise<void> {
  const failed = [...changes].flatMap(([key, { accountId, uuid, status, description }]): Failed[] =>
    status === 'FAILED' && locked.get(key)?.campaign_log === null ? [{ accountId, uuid, description }] : [],
  );
  if (failed.length > 0) await queue.enqueue(db, failedTask, failed);
}
