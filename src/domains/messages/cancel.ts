import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/db/pool.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import { moveMessages } from './move.ts';
import { findMessage, lockQueued, type MessageRow } from './queries.ts';

/** Takes a message back that has not left yet. One that is being handed over, or may have been, is too late. */
export const cancelMessage = (deps: Deps, accountId: string, uuid: string): Promise<MessageRow> =>
  inTransaction(deps.db, async (db) => {
    const state = await lockQueued(db, accountId, uuid);
    if (!state) throw notFound();
    if (state.status !== 'QUEUED' || state.claimed_by !== null || state.due_at === 'infinity') {
      throw new ApiError('message_not_queued');
    }
    await moveMessages({ ...deps, db }, [
      { accountId, uuid, status: 'CANCELLED', description: 'Cancelled by the account.' },
    ]);
    return (await findMessage(db, accountId, uuid))!;
  });
