import type { Deps } from '../../../deps.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { within } from '../../../platform/within.ts';
import { isWaiting } from '../../outbox/index.ts';
import { moveMessages } from '../deliver/move.ts';
import { outbox } from '../deliver/outbox.ts';
import { findMessage, lockQueued, type MessageRow } from '../queries.ts';

/** Takes a message back that has not left yet. One that is being handed over, or may have been, is too late. */
export const cancelMessage = (deps: Deps, accountId: string, uuid: string): Promise<MessageRow> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const state = await lockQueued(db, accountId, uuid);
    if (!state) throw notFound();
    if (!isWaiting(state)) throw new ApiError('message_not_queued');
    await moveMessages(deps, [{ accountId, uuid, status: 'CANCELLED', description: 'Cancelled by the account.' }]);
    return (await findMessage(db, accountId, uuid))!;
  });

/** Takes back what a launch has queued, held or not; answers how many. */
export const cancelLaunch = (deps: Deps, accountId: string, campaignLog: string): Promise<number> =>
  outbox.cancelLaunch(deps, accountId, campaignLog, async (inside, batches) => {
    for (const batch of batches) await moveMessages(inside, batch);
  });
