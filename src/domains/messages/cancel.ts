import type { Deps } from '../../deps.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import { within } from '../../platform/within.ts';
import { lockLaunch, withdraw } from './launch-queries.ts';
import { moveMessages } from './move.ts';
import { cancelledWithLaunch } from './postpone.ts';
import { findMessage, lockQueued, type MessageRow } from './queries.ts';

/** Takes a message back that has not left yet. One that is being handed over, or may have been, is too late. */
export const cancelMessage = (deps: Deps, accountId: string, uuid: string): Promise<MessageRow> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const state = await lockQueued(db, accountId, uuid);
    if (!state) throw notFound();
    if (state.status !== 'QUEUED' || state.claimed_by !== null || state.due_at === 'infinity') {
      throw new ApiError('message_not_queued');
    }
    await moveMessages(deps, [{ accountId, uuid, status: 'CANCELLED', description: 'Cancelled by the account.' }]);
    return (await findMessage(db, accountId, uuid))!;
  });

const mostAtOnce = 1000;

/** Takes back what a launch has queued, held or not. What is being handed over leaves, or is taken back if it is put off. */
export const cancelLaunch = (deps: Deps, accountId: string, campaignLog: string): Promise<void> =>
  within(deps, async (deps) => {
    const { db } = deps;
    // All at once: the counts stay locked from the first batch on, and nothing may be waited for after that.
    const queued = await lockLaunch(db, accountId, campaignLog);
    await withdraw(
      db,
      accountId,
      queued.filter((message) => message.is_claimed).map(({ uuid }) => uuid),
    );
    const waiting = queued.filter((message) => message.is_waiting);
    for (let from = 0; from < waiting.length; from += mostAtOnce) {
      const batch = waiting.slice(from, from + mostAtOnce);
      await moveMessages(
        deps,
        batch.map(({ uuid }) => ({ accountId, uuid, ...cancelledWithLaunch })),
      );
    }
  });
