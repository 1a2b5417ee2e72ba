import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { eachOnce, type ManyResult, manyResult } from '../../../platform/http/openapi/models.ts';
import { within } from '../../../platform/within.ts';
import { isWaiting, priorities, queuedText } from '../../outbox/index.ts';
import { moveMessages, outbox } from '../deliver/move.ts';
import { findMessage, lockQueued, type MessageRow } from '../queries.ts';

/** Takes back a message that has not left yet. It is too late for one that is being handed over, or may have been. */
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

/** Takes back what a launch has queued, paused or not; answers how many. */
export const cancelLaunch = (deps: Deps, accountId: string, campaignLog: string): Promise<number> =>
  outbox.cancelLaunch(deps, accountId, campaignLog, async (inside, batches) => {
    for (const batch of batches) await moveMessages(inside, batch);
  });

const mostAtOnce = 1000;
const description = 'Its sender changed the carrier before it left.';

/**
 * Called when a sender leaves its carrier. Messages that still wait were meant for the people whom the old carrier reaches, and are
 * cancelled. All windows are closed: nobody has written to the sender at its new carrier.
 */
export async function moveSender(deps: Deps, accountId: string, chatappAccount: string): Promise<void> {
  const { rows } = await sql<{ uuid: string; is_claimed: boolean }>`
    select uuid, claimed_by is not null as is_claimed from message_states
    where account_id = ${accountId} and chatapp_account = ${chatappAccount} and ${sql.raw(queuedText)} and due_at < 'infinity'
    order by uuid for update`.execute(deps.db);
  const waiting = rows.filter(({ is_claimed }) => !is_claimed);
  // A message that is being handed over leaves by the carrier that has it, and must not come back into the queue.
  await sql`
    update message_states set priority = ${priorities.withdrawn}
    where account_id = ${accountId} and uuid = any (${rows.filter((row) => row.is_claimed).map(({ uuid }) => uuid)}::uuid[])`.execute(
    deps.db,
  );
  for (let first = 0; first < waiting.length; first += mostAtOnce) {
    const some = waiting.slice(first, first + mostAtOnce);
    await moveMessages(
      deps,
      some.map(({ uuid }) => ({ accountId, uuid, status: 'CANCELLED', description })),
    );
  }
  // The sandbox clock may have been ahead of the real time.
  await sql`
    update chat_people set window_closed = true, last_inbound_at = least(last_inbound_at, now())
    where account_id = ${accountId} and chatapp_account = ${chatappAccount}`.execute(deps.db);
}
