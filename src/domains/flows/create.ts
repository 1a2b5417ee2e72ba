import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { ValidationError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { within } from '../../platform/within.ts';
import { resolveSenders, whyNoSender } from '../chatapp-accounts/index.ts';
import { appendEvents } from '../timeline/index.ts';
import { type FlowRow, insertFlow, isNameTaken, lockNames } from './queries.ts';
import { type FlowCreate, subjectType } from './schemas.ts';

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
export function checkScreens(definition: unknown): void {
  const { screens } = (definition ?? {}) as { screens?: unknown };
  if (Array.isArray(screens) && screens.length > 0) return;
  throw new ValidationError({ definition: ['A flow needs at least one screen before it can be published.'] });
}

/** Until the transaction ends, nobody else gets the name. */
export async function reserveName(
  db: Db,
  accountId: string,
  wanted: { chatappAccount: string; name: string; uuid?: string },
): Promise<void> {
  await lockNames(db, wanted.chatappAccount);
  if (await isNameTaken(db, accountId, wanted)) {
    throw new ValidationError({ name: ['Another flow of this chat-app account has this name.'] });
  }
}
