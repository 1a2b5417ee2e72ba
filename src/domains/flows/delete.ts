import { CarrierRefusal } from '../../carriers/ports/carriers.ts';
import type { CarrierFlows, Sender } from '../../carriers/ports/chat.ts';
import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/db/connect/pool.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import { findChatappAccount, senderOf } from '../chatapp-accounts/index.ts';
import { appendEvents } from '../timeline/index.ts';
import { claimDraft, type FlowRow, findFlow, removeFlow, updateFlow } from './queries.ts';
import { subjectType } from './schemas.ts';

/** Deletes a draft here and on the platform, which is asked at once: it keeps what has been published. */
export async function deleteFlow(deps: Deps, accountId: string, uuid: string): Promise<void> {
  const { db } = deps;
  const row = await claimDraft(db, accountId, uuid);
  if (!row) throw await whyNot(deps, accountId, uuid);
  try {
    await removeThere(deps, row);
  } catch (error) {
    await updateFlow(db, accountId, uuid, { claimed_until: null });
    if (!(error instanceof CarrierRefusal)) throw error;
    throw new ApiError(error.temporary ? 'unavailable' : 'flow_not_draft', { detail: error.message });
  }
  await inTransaction(db, async (db) => {
    await removeFlow(db, accountId, uuid);
    const data = { name: row.name };
    await appendEvents(db, [{ accountId, subjectType, subject: uuid, kind: 'flow.deleted', data }]);
  });
}

async function whyNot({ db }: Deps, accountId: string, uuid: string): Promise<ApiError> {
  const row = await findFlow(db, accountId, uuid);
  if (!row) return notFound();
  if (row.status !== 'DRAFT') return new ApiError('flow_not_draft');
  return new ApiError('unavailable', { detail: 'The flow is on its way to the platform. Try again shortly.' });
}

async function removeThere(deps: Deps, row: FlowRow): Promise<void> {
  if (row.flow_id === null && row.begun_as === null) return;
  const account = await findChatappAccount(deps.db, row.account_id, row.chatapp_account);
  if (!account) return;
  const { flows } = deps.carriers.get(account.carrier, 'chat').chat;
  const sender = senderOf(deps, account);
  const id = row.flow_id ?? (await idOf(flows, sender, row.begun_as!));
  if (id === undefined) return;
  try {
    await flows.remove(sender, id);
  } catch (error) {
    if (!(error instanceof CarrierRefusal) || error.temporary) throw error;
    // It may be gone since an earlier try, whose answer was lost.
    const theirs = await flows.list(sender);
    if (theirs === null || theirs.some((flow) => flow.id === id)) throw error;
  }
}

/** The flow whose creation was begun under the name, while its answer is not known. */
const idOf = async (flows: CarrierFlows, sender: Sender, name: string): Promise<string | undefined> =>
  (await flows.list(sender))?.find((flow) => flow.name === name)?.id;
