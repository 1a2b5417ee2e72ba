import { isDeepStrictEqual } from 'node:util';
import type { Deps } from '../../deps.ts';
import { notFound, ValidationError } from '../../platform/errors.ts';
import { within } from '../../platform/within.ts';
import { findChatappAccount } from '../chatapp-accounts/index.ts';
import { appendEvents } from '../timeline/index.ts';
import { checkScreens, reserveName, submitTask } from './create.ts';
import { type FlowRow, lockFlow, updateFlow } from './queries.ts';
import { type FlowUpdate, subjectType } from './schemas.ts';
import { canMove } from './status.ts';

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
