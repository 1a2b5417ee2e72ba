import type { Deps } from '../../../deps.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { eachOnce, type ManyResult, manyResult } from '../../../platform/http/openapi/many.ts';
import { within } from '../../../platform/within.ts';
import { isWaiting } from '../../outbox/index.ts';
import { moveMessages } from '../deliver/move.ts';
import { outbox } from '../deliver/outbox.ts';
import { findMessage, lockQueued, type MessageRow } from '../queries.ts';

/** Takes a message back that has not left yet. One that is being handed over, or may have been, is too late. */
export const cancelMessage = (deps: Deps, accountId: string, uuid: string): Promise<MessageRow> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const [state] = await lockQueued(db, accountId, [uuid]);
    if (!state) throw notFound();
    if (!isWaiting(state)) throw new ApiError('message_not_queued');
    await moveMessages(deps, [cancelled(accountId)(uuid)]);
    return (await findMessage(db, accountId, uuid))!;
  });

/** The same of many messages. */
export const cancelMessages = (deps: Deps, accountId: string, uuids: string[]): Promise<ManyResult> =>
  within(deps, async (deps) => {
    const asked = eachOnce(uuids);
    const states = await lockQueued(deps.db, accountId, asked);
    const known = new Set(states.map(({ uuid }) => uuid));
    const waiting = states.filter(isWaiting).map(({ uuid }) => uuid);
    if (waiting.length > 0) await moveMessages(deps, waiting.map(cancelled(accountId)));
    return manyResult(asked, waiting, (uuid) => (known.has(uuid) ? 'message_not_queued' : 'not_found'));
  });

const cancelled = (accountId: string) => (uuid: string) =>
  ({ accountId, uuid, status: 'CANCELLED', description: 'Cancelled by the account.' }) as const;

/** Takes back what a launch has queued, held or not; answers how many. */
export const cancelLaunch = (deps: Deps, accountId: string, campaignLog: string): Promise<number> =>
  outbox.cancelLaunch(deps, accountId, campaignLog, async (inside, batches) => {
    for (const batch of batches) await moveMessages(inside, batch);
  });
