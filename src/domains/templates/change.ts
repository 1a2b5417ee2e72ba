import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { notFound, ValidationError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { within } from '../../platform/within.ts';
import { resolveSenders, whyNoSender } from '../chatapp-accounts/index.ts';
import { definitionErrors } from './definition/check.ts';
import type { Component, Definition, ParameterFormat } from './definition/schemas.ts';
import { templateCache } from './fill/resolve.ts';
import { sampleErrors } from './fill/samples.ts';
import { findSynced, findTemplate, insertTemplate, lockTemplate, type TemplateRow, updateTemplate } from './queries.ts';
import type { MessageTemplateCreate, MessageTemplateUpdate } from './schemas.ts';
import { tellChanges } from './tell.ts';

/** Keeps a template as PENDING, with the job that submits it. */
export async function createTemplate(
  deps: Deps,
  accountId: string,
  { chatapp_number, parameter_format = 'POSITIONAL', components, ...request }: MessageTemplateCreate,
): Promise<TemplateRow> {
  await checkDefinition(deps.db, accountId, { category: request.category, parameter_format, components });
  const [sender] = await resolveSenders(deps, [{ accountId, chatappNumber: chatapp_number }]);
  if (!sender) throw new ValidationError({ chatapp_number: [await whyNoSender(deps, accountId, chatapp_number)] });
  return within(deps, async (deps) => {
    const { db } = deps;
    const row = await insertTemplate(db, {
      ...request,
      account_id: accountId,
      uuid: newId(),
      chatapp_account: sender.uuid,
      parameter_format,
      components: JSON.stringify(components),
      status: 'PENDING',
      todo: 'SUBMIT',
    });
    if (!row) throw new ValidationError({ name: ['This number already has a template with this name and language.'] });
    await deps.queue.enqueue(db, 'templates.submit', [{ accountId, uuid: row.uuid }]);
    await tellChanges(db, deps, accountId, [{ uuid: row.uuid, kind: 'template.created', announced: false }]);
    return { ...row, chatapp_number: sender.chatapp_number, carrier: sender.carrier };
  });
}

/** Edits a template; it goes through the platform's review again. */
export async function updateTemplateDefinition(
  deps: Deps,
  accountId: string,
  uuid: string,
  change: MessageTemplateUpdate,
): Promise<TemplateRow> {
  const row = await within(deps, async (deps) => {
    const { db } = deps;
    const before = await lockTemplate(db, accountId, uuid);
    if (!before || before.todo === 'DELETE') throw notFound();
    const edits = (['category', 'components'] as const).filter((field) => change[field] !== undefined);
    if (edits.length === 0) return before;
    await checkEdit(db, before, change);
    await updateTemplate(db, before, {
      ...(change.category && { category: change.category }),
      ...(change.components && { components: JSON.stringify(change.components) }),
      status: 'PENDING',
      rejected_reason: '',
      todo: 'SUBMIT',
      revision: before.revision + 1,
      edited: [...new Set([...before.edited, ...edits])],
    });
    await deps.queue.enqueue(db, 'templates.submit', [{ accountId, uuid }]);
    const announced = before.status !== 'PENDING';
    await tellChanges(db, deps, accountId, [{ uuid, kind: 'template.edited', announced }]);
    return (await findTemplate(db, accountId, uuid))!;
  });
  deps.caches.forget(templateCache);
  return row;
}

/** Takes a template away at once; the carrier is told by a job, and the row goes when it agreed. */
export async function deleteTemplate(deps: Deps, accountId: string, uuid: string): Promise<void> {
  await within(deps, async (deps) => {
    const { db } = deps;
    const before = await lockTemplate(db, accountId, uuid);
    if (!before || before.todo === 'DELETE') throw notFound();
    await updateTemplate(db, before, { status: 'DELETED', todo: 'DELETE' });
    await deps.queue.enqueue(db, 'templates.delete', [{ accountId, uuid }]);
    const announced = before.status !== 'DELETED';
    await tellChanges(db, deps, accountId, [{ uuid, kind: 'template.deleted', announced }]);
  });
  deps.caches.forget(templateCache);
}

/** Has templates fetched from where they are kept; answers for how many senders. */
export async function requestSync(deps: Deps, accountId: string, number: string | undefined): Promise<number> {
  const senders = await findSynced(deps.db, accountId, number);
  if (!senders) throw new ValidationError({ chatapp_number: ['No chat-app account has this number.'] });
  await deps.queue.enqueue(
    deps.db,
    'templates.sync',
    senders.map((chatappAccount) => ({ accountId, chatappAccount })),
  );
  return senders.length;
}

async function checkDefinition(db: Db, accountId: string, definition: Definition): Promise<void> {
  const errors = definitionErrors(definition) ?? (await sampleErrors(db, accountId, definition.components));
  if (errors) throw new ValidationError(errors);
}

/** The platform takes edits of templates that it has decided about; one that it has not seen yet is still ours alone. */
async function checkEdit(db: Db, before: TemplateRow, { category, components }: MessageTemplateUpdate): Promise<void> {
  const { status, account_id } = before;
  const isUnseen = before.todo === 'SUBMIT' && before.carrier_template_id === null;
  if (!isUnseen && !['APPROVED', 'REJECTED', 'PAUSED'].includes(status)) {
    throw new ValidationError({ non_field_errors: [`A template with the status ${status} cannot be changed.`] });
  }
  const isLocked = status === 'APPROVED' && before.category !== null;
  if (isLocked && category !== undefined && category !== before.category) {
    throw new ValidationError({ category: ['The category of an approved template cannot be changed.'] });
  }
  const wanted = category ?? before.category;
  if (wanted === null) throw new ValidationError({ category: ['This field is required.'] });
  if (components) {
    const parameter_format = before.parameter_format as ParameterFormat;
    return checkDefinition(db, account_id, { category: wanted, parameter_format, components });
  }
  // Codes are made of other components than everything else, and a template known by its name has none at all.
  const fits = (wanted === 'AUTHENTICATION') === (before.category === 'AUTHENTICATION');
  if (!fits || (before.components as Component[]).length === 0) {
    throw new ValidationError({ components: ['This field is required.'] });
  }
}
