import { pageOf, pickFields } from '../graph/answers.ts';
import type { Call } from '../graph/call.ts';
import { type Fields, invalid } from '../graph/checks.ts';
import { GraphError } from '../graph/errors.ts';
import type { Sim } from '../sim.ts';
import { dayMs, type Template } from '../world.ts';
import type { TemplateComponent } from './parts.ts';
import { announce, submitForReview } from './review.ts';
import { checkComponents, readDraft, readTtl, storedForm } from './rules.ts';

const usualFields = [
  'name',
  'parameter_format',
  'components',
  'language',
  'status',
  'category',
  'previous_category',
  'id',
];

/** A template as it is read. */
const present = (template: Template): Fields => ({
  name: template.name,
  parameter_format: template.parameterFormat,
  components: template.components,
  language: template.language,
  status: template.status,
  category: template.category,
  previous_category: template.previousCategory ?? undefined,
  id: template.id,
  quality_score: { score: template.quality, date: template.qualityDate },
  rejected_reason: template.rejectedReason,
  message_send_ttl_seconds: template.ttlSeconds ?? undefined,
  health_status: { can_send_message: template.status === 'APPROVED' ? 'AVAILABLE' : 'BLOCKED' },
});

const ofAccount = ({ world }: Sim, accountId: string): Template[] =>
  [...world.templates.values()].filter((template) => template.accountId === accountId);

/** `GET /{waba-id}/message_templates` with its filters. */
export function listTemplates(sim: Sim, call: Call) {
  const asked = (name: string) => call.query.get(name)?.toLowerCase();
  const is = (wanted: string | undefined, actual: string) => wanted === undefined || wanted === actual.toLowerCase();
  const found = ofAccount(sim, call.id).filter(
    (template) =>
      is(asked('status'), template.status) &&
      is(asked('category'), template.category) &&
      is(asked('language'), template.language) &&
      template.name.includes(asked('name') ?? '') &&
      (template.name + JSON.stringify(template.components)).toLowerCase().includes(asked('name_or_content') ?? ''),
  );
  return pageOf(
    found.map((template) => pickFields(present(template), call, usualFields)),
    call,
    sim.origin(),
  );
}

export const getTemplate = ({ world }: Sim, call: Call) =>
  pickFields(present(world.templates.get(call.id)!), call, usualFields);

/** `POST /{waba-id}/message_templates`: checked, kept, sent for review. */
export function createTemplate(sim: Sim, call: Call) {
  const { world, time, ids } = sim;
  const account = world.accounts.get(call.id)!;
  const draft = readDraft(call.params(), world.handles);
  const existing = ofAccount(sim, call.id);
  const refuse = (subcode: number, title: string, text: string) =>
    new GraphError(100, undefined, { message: 'Invalid parameter', subcode, userTitle: title, userMessage: text });
  if (existing.some(({ name, language }) => name === draft.name && language === draft.language)) {
    throw refuse(
      2388024,
      'Content in this language already exists',
      `There is already ${draft.language} content for this template.`,
    );
  }
  if (existing.length >= account.maxTemplates) {
    throw refuse(
      2388019,
      'Message template limit exceeded',
      `This account may have ${account.maxTemplates} templates.`,
    );
  }
  if ((account.blockedNames.get(draft.name) ?? new Date(0)) > time.now()) {
    throw refuse(2388023, 'Name is being deleted', 'The name of a deleted template cannot be used for 30 days.');
  }
  const template: Template = {
    ...draft,
    id: ids.object(),
    accountId: call.id,
    previousCategory: null,
    status: 'PENDING',
    rejectedReason: 'NONE',
    quality: 'UNKNOWN',
    qualityDate: time.seconds(),
    edits: [],
  };
  world.templates.set(template.id, template);
  submitForReview(sim, template);
  return { id: template.id, status: template.status, category: template.category };
}

/** `POST /{template-id}`: an edit replaces whole parts and goes through review again. */
export function editTemplate(sim: Sim, call: Call) {
  const { world, time } = sim;
  const template = world.templates.get(call.id)!;
  const body = call.params();
  if (!['APPROVED', 'REJECTED', 'PAUSED'].includes(template.status)) {
    throw invalid(`A template in status ${template.status} cannot be edited.`);
  }
  const category = body['category'] === undefined ? template.category : String(body['category']).toUpperCase();
  if (template.status === 'APPROVED') {
    if (category !== template.category) throw invalid('The category of an approved template cannot be changed.');
    const age = (at: Date) => time.now().getTime() - at.getTime();
    const recent = template.edits.filter((at) => age(at) < 30 * dayMs);
    if (recent.some((at) => age(at) < dayMs) || recent.length >= 10) {
      throw invalid('An approved template can be edited once in 24 hours and 10 times in 30 days.');
    }
    template.edits = [...recent, time.now()];
  }
  const components = body['components'] as TemplateComponent[] | undefined;
  if (components) checkComponents(components, template.parameterFormat, category, world.handles);
  const ttlSeconds = readTtl(body['message_send_ttl_seconds'], category) ?? template.ttlSeconds;
  Object.assign(template, {
    category,
    ttlSeconds,
    ...(components && { components: storedForm(components, category) }),
  });
  if (components) submitForReview(sim, template);
  return { success: true };
}

/** `DELETE /{waba-id}/message_templates`: by name (all languages), by `hsm_id` and name, or by `hsm_ids`. */
export function deleteTemplates(sim: Sim, call: Call) {
  const { world, time } = sim;
  const { name, hsm_id: id, hsm_ids: several } = call.params();
  const ids =
    several === undefined ? undefined : ((typeof several === 'string' ? JSON.parse(several) : several) as string[]);
  if (name === undefined && ids === undefined) throw invalid('The parameter name is required.');
  const doomed = ofAccount(sim, call.id).filter((template) =>
    ids ? ids.includes(template.id) : template.name === name && (id === undefined || template.id === id),
  );
  if (doomed.length === 0) {
    throw new GraphError(100, undefined, {
      message: 'Invalid parameter',
      subcode: 2593002,
      userTitle: 'Message Template Not Found',
      userMessage: 'No message template was found to delete.',
    });
  }
  if (doomed.some(({ status }) => status === 'DISABLED')) throw invalid('A disabled template cannot be deleted.');
  for (const template of doomed) {
    world.templates.delete(template.id);
    const until = new Date(time.now().getTime() + 30 * dayMs);
    if (template.status === 'APPROVED') world.accounts.get(call.id)!.blockedNames.set(template.name, until);
    announce(sim, template, 'PENDING_DELETION');
  }
  return { success: true };
}

export function unpauseTemplate(sim: Sim, call: Call) {
  const template = sim.world.templates.get(call.id)!;
  if (template.status !== 'PAUSED') throw invalid('The template is not paused.');
  template.status = 'APPROVED';
  announce(sim, template, 'APPROVED', { other_info: { title: 'UNPAUSE', description: 'The template was unpaused.' } });
  return { success: true };
}
