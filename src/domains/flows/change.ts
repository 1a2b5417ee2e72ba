import { isDeepStrictEqual } from 'node:util';
import { CarrierRefusal } from '../../carriers/ports/carriers.ts';
import type { CarrierFlows, Sender } from '../../carriers/ports/chat.ts';
import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '../../platform/db/connect/pool.ts';
import { ApiError, notFound, ValidationError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { within } from '../../platform/within.ts';
import { findChatappAccount, resolveSenders, senderOf, whyNoSender } from '../chatapp-accounts/index.ts';
import { appendEvents } from '../timeline/index.ts';
import {
  claimDraft,
  type FlowRow,
  findFlow,
  insertFlow,
  isNameTaken,
  lockFlow,
  lockNames,
  removeFlow,
  updateFlow,
} from './queries.ts';
import { canMove, type FlowCreate, type FlowUpdate, subjectType } from './schemas.ts';

/** The task that takes to the platform whatever is new about a flow. */
export const submitTask = 'flows.submit';

/** Stores a flow, with the job that creates it on the platform. */
export async function createFlow(deps: Deps, accountId: string, request: FlowCreate): Promise<FlowRow> {
  const { chatapp_number, name, category, definition, status } = request;
  if (status === 'PUBLISHED' && !definition) throw new ValidationError({ definition: ['This field is required.'] });
  if (status === 'PUBLISHED') checkScreens(definition);
  const [sender] = await resolveSenders(deps, [{ accountId, chatappNumber: chatapp_number }]);
  if (!sender) throw new ValidationError({ chatapp_number: [await whyNoSender(deps, accountId, chatapp_number)] });
  return within(deps, async (deps) => {
    const { db } = deps;
    await reserveName(db, accountId, { chatappAccount: sender.uuid, name });
    const row = await insertFlow(db, accountId, {
      uuid: newId(),
      chatapp_account: sender.uuid,
      chatapp_number: sender.chatapp_number,
      digits: sender.digits,
      name,
      category,
      categories: [category],
      definition: definition ? JSON.stringify(definition) : null,
      wanted_status: status === 'PUBLISHED' ? status : null,
    });
    await appendEvents(db, [{ accountId, subjectType, subject: row.uuid, kind: 'flow.created', data: { name } }]);
    await deps.queue.enqueue(db, submitTask, [{ accountId, uuid: row.uuid }]);
    return row;
  });
}

/** What has no screen cannot be published. */
function checkScreens(definition: unknown): void {
  const { screens } = (definition ?? {}) as { screens?: unknown };
  if (Array.isArray(screens) && screens.length > 0) return;
  throw new ValidationError({ definition: ['A flow needs at least one screen before it can be published.'] });
}

/** Until the transaction ends, nobody else gets the name. */
async function reserveName(
  db: Db,
  accountId: string,
  wanted: { chatappAccount: string; name: string; uuid?: string },
): Promise<void> {
  await lockNames(db, wanted.chatappAccount);
  if (await isNameTaken(db, accountId, wanted)) {
    throw new ValidationError({ name: ['Another flow of this chat-app account has this name.'] });
  }
}

/**
 * Stores what a request changes, with the job that takes it to the platform. After the platform refused something, any
 * request tries again, whether it changes anything or not.
 */
export const changeFlow = (deps: Deps, accountId: string, uuid: string, patch: FlowUpdate): Promise<FlowRow> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const before = await lockFlow(db, accountId, uuid);
    if (!before) throw notFound();
    const changes = changesOf(before, patch);
    const definition = newDefinition(before, patch);
    if (changes.wanted_status === 'PUBLISHED') await checkPublishable(deps, before, definition ?? before.definition);
    if (Object.keys(changes).length === 0 && !definition && before.status_description === '') return before;
    if (changes.name !== undefined) {
      await reserveName(db, accountId, { chatappAccount: before.chatapp_account, name: changes.name, uuid });
    }
    const row = await updateFlow(db, accountId, uuid, {
      ...changes,
      ...(changes.category !== undefined && { categories: [changes.category] }),
      ...((changes.name ?? changes.category) !== undefined && { is_described: false }),
      ...(definition && { definition: JSON.stringify(definition), is_drawn: false }),
      revision: before.revision + 1,
      status_description: '',
    });
    const data = { ...changes, ...(definition && { definition: true }) };
    await appendEvents(db, [{ accountId, subjectType, subject: uuid, kind: 'flow.updated', data }]);
    await deps.queue.enqueue(db, submitTask, [{ accountId, uuid }]);
    return row;
  });

/** A flow without a definition may have been drawn in the platform's own editor, which the sandbox does not have. */
async function checkPublishable({ db }: Deps, flow: FlowRow, definition: unknown): Promise<void> {
  const account = definition ? undefined : await findChatappAccount(db, flow.account_id, flow.chatapp_account);
  if (definition || account?.carrier === 'sandbox') checkScreens(definition);
}

/** What a draft is to look like; undefined when that does not change. */
function newDefinition(before: FlowRow, { definition }: FlowUpdate): object | undefined {
  if (definition === undefined || isDeepStrictEqual(definition, before.definition)) return undefined;
  if ((before.wanted_status ?? before.status) === 'DRAFT') return definition;
  throw new ValidationError({ definition: ['Only the definition of a draft can be changed.'] });
}

/** What the request changes, checked against the state in which earlier requests will leave the flow. */
function changesOf(before: FlowRow, { name, category, status }: FlowUpdate) {
  const standing = before.wanted_status ?? before.status;
  const changes = {
    ...(name !== undefined && name !== before.name && { name }),
    ...(category !== undefined && category !== before.category && { category }),
    ...(status !== undefined && status !== standing && { wanted_status: status }),
  };
  const { wanted_status: wanted, ...described } = changes;
  if (wanted !== undefined && !canMove(standing, wanted)) {
    throw new ValidationError({ status: [`A flow cannot go from ${standing} to ${wanted}.`] });
  }
  const late = standing === 'DEPRECATED' ? Object.keys(described) : [];
  if (late.length > 0) {
    throw new ValidationError(
      Object.fromEntries(late.map((field) => [field, ['A deprecated flow cannot be changed.']])),
    );
  }
  return changes;
}

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
