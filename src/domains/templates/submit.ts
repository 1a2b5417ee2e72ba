/**
 * How a template gets to its carrier and from there. `todo` says what the carrier has yet to be told:
 *
 *   created, edited → SUBMIT → (taken: null, with the carrier's status | refused: null, REJECTED)
 *   deleted → DELETE → (agreed: the row goes | refused: null, as the carrier has it)
 *
 * Jobs may run twice, late, or while the API changes the same template. No transaction is open while the carrier is asked,
 * so what it answers is stored only if it still is about what stands there.
 */
import { CarrierRefusal, type CarrierWith } from '../../carriers/ports/carriers.ts';
import type { Sender } from '../../carriers/ports/chat.ts';
import type { Deps } from '../../deps.ts';
import { within } from '../../platform/within.ts';
import { findSender } from '../chatapp-accounts/index.ts';
import { templateCache } from './fill/resolve.ts';
import { withSamples } from './fill/samples.ts';
import { lockTemplate, type TemplateRow, updateTemplate } from './queries.ts';
import { columnsOf, findTodo, hasNamesake, removeDeleted } from './sync/queries.ts';
import { tellChanges } from './tell.ts';

export interface TemplateJob {
  accountId: string;
  uuid: string;
}

/** What the carrier made of a submission: the columns that follow from it. */
type Verdict = { status: string; rejected_reason: string } & Partial<ReturnType<typeof columnsOf>>;

export async function submitTemplate(deps: Deps, { accountId, uuid }: TemplateJob): Promise<void> {
  const row = await findTodo(deps.db, accountId, uuid, 'SUBMIT');
  const sender = row && (await findSender(deps, accountId, row.chatapp_account));
  if (!sender) return;
  // The carrier still has the earlier one, and would answer for that.
  if (await hasNamesake(deps.db, row, { live: false })) throw new Error('A template of this name is being deleted.');
  const carrier = deps.carriers.get(row.carrier, 'chat');
  const verdict = await handOver(deps, carrier, sender, row);
  const isKept = await settle(deps, row, verdict);
  if (!isKept && verdict.carrier_template_id !== undefined) {
    await carrier.chat.templates.delete(sender, { id: verdict.carrier_template_id, name: row.name });
  }
}

async function handOver(deps: Deps, carrier: CarrierWith<'chat'>, sender: Sender, row: TemplateRow): Promise<Verdict> {
  try {
    const components = await withSamples(deps, carrier, sender, row.components as object[]);
    const category = row.category!;
    if (row.carrier_template_id === null) {
      const parameterFormat = row.parameter_format as 'POSITIONAL' | 'NAMED';
      const definition = { name: row.name, languageCode: row.language_code, category, parameterFormat, components };
      const { id, ...taken } = await carrier.chat.templates.create(sender, definition);
      return { ...taken, carrier_template_id: id, rejected_reason: '' };
    }
    const { status } = await carrier.chat.templates.update(sender, row.carrier_template_id, {
      ...(row.edited.includes('category') && { category }),
      ...(row.edited.includes('components') && { components }),
    });
    return { status, rejected_reason: '' };
  } catch (error) {
    const refusal = finalRefusal(error);
    return (await standing(carrier, sender, row, refusal)) ?? { status: 'REJECTED', rejected_reason: refusal.message };
  }
}

/** The carrier's last word; whatever may go better later is thrown on, so that the job is tried again. */
function finalRefusal(error: unknown): CarrierRefusal {
  if (!(error instanceof CarrierRefusal) || error.temporary) throw error;
  return error;
}

/** What a refused edit or deletion leaves standing: the template as the carrier has it, with the reason. */
async function standing(
  carrier: CarrierWith<'chat'>,
  sender: Sender,
  { carrier_template_id }: TemplateRow,
  refusal: CarrierRefusal,
): Promise<(Verdict & ReturnType<typeof columnsOf>) | undefined> {
  if (carrier_template_id === null) return undefined;
  const found = (await carrier.chat.templates.list(sender))?.find(({ id }) => id === carrier_template_id);
  return found && { ...columnsOf(found), rejected_reason: refusal.message };
}

/** Stores a verdict; false when there is no such template any more. */
async function settle(deps: Deps, row: TemplateRow, verdict: Verdict): Promise<boolean> {
  const isKept = await within(deps, async (deps) => {
    const { db } = deps;
    const now = await lockTemplate(db, row.account_id, row.uuid);
    if (!now) return false;
    // It is submitted to the sender's new carrier by a job of its own.
    if (now.carrier !== row.carrier) return true;
    const { carrier_template_id = now.carrier_template_id, components, ...rest } = verdict;
    if (now.todo !== 'SUBMIT' || now.revision !== row.revision) {
      await updateTemplate(db, now, { carrier_template_id });
      return true;
    }
    // A decision may have come in before the answer that says PENDING.
    const status = now.status === 'PENDING' ? rest.status : now.status;
    await updateTemplate(db, now, {
      ...rest,
      ...(components && { components: JSON.stringify(components) }),
      status,
      carrier_template_id,
      todo: null,
      edited: [],
    });
    const announced = status !== now.status;
    await tellChanges(db, deps, row.account_id, [{ uuid: row.uuid, kind: 'template.submitted', announced }]);
    return true;
  });
  deps.caches.forget(templateCache);
  return isKept;
}

export async function removeTemplate(deps: Deps, { accountId, uuid }: TemplateJob): Promise<void> {
  const row = await findTodo(deps.db, accountId, uuid, 'DELETE');
  const sender = row && (await findSender(deps, accountId, row.chatapp_account));
  if (!sender) return;
  const carrier = deps.carriers.get(row.carrier, 'chat');
  if (row.carrier_template_id !== null) {
    try {
      await carrier.chat.templates.delete(sender, { id: row.carrier_template_id, name: row.name });
    } catch (error) {
      const left = await standing(carrier, sender, row, finalRefusal(error));
      if (left && (await restore(deps, row, left))) return;
    }
  }
  if (!(await removeDeleted(deps.db, row))) throw new Error('It was submitted while it was being deleted.');
}

/** Shows a template again that its carrier would not delete; false when another has taken its place. */
async function restore(deps: Deps, row: TemplateRow, { components, ...left }: Verdict): Promise<boolean> {
  const isRestored = await within(deps, async (deps) => {
    const { db } = deps;
    const now = await lockTemplate(db, row.account_id, row.uuid);
    if (now?.todo !== 'DELETE' || (await hasNamesake(db, now, { live: true }))) return false;
    await updateTemplate(db, now, { ...left, components: JSON.stringify(components), todo: null, edited: [] });
    await tellChanges(db, deps, row.account_id, [{ uuid: row.uuid, kind: 'template.restored', announced: true }]);
    return true;
  });
  deps.caches.forget(templateCache);
  return isRestored;
}
