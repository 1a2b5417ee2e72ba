// A template's life: PENDING → APPROVED | REJECTED; APPROVED → PAUSED → APPROVED | DISABLED. Edits begin again at PENDING.
import type { Sim } from '../sim.ts';
import type { Template, TemplateStatus } from '../world.ts';

/** Begins the review; the decision follows by itself unless the settings leave it to a control call. */
export function submitForReview(sim: Sim, template: Template): void {
  template.status = 'PENDING';
  const decision = sim.settings.reviewDecision;
  if (decision === null) return;
  sim.time.later(sim.settings.reviewAfterMs, () => {
    const current = sim.world.templates.get(template.id) === template && template.status === 'PENDING';
    if (current) decide(sim, template, decision);
  });
}

const titles: Readonly<Partial<Record<TemplateStatus, string>>> = { PAUSED: 'FIRST_PAUSE', DISABLED: 'DISABLED' };

/** Gives a template a status and tells the client. */
export function decide(sim: Sim, template: Template, status: TemplateStatus, reason?: string): void {
  template.status = status;
  template.rejectedReason = status === 'REJECTED' ? (reason ?? 'INVALID_FORMAT') : 'NONE';
  const day = sim.time.now().toISOString().slice(0, 10);
  announce(sim, template, status, {
    reason: template.rejectedReason,
    ...(status === 'REJECTED' && {
      rejection_info: { reason: 'The template breaks a rule.', recommendation: 'Change it and submit it again.' },
    }),
    ...(titles[status] && { other_info: { title: titles[status], description: 'Due to feedback of its readers.' } }),
    ...(status === 'DISABLED' && { disable_info: { disable_date: day } }),
  });
}

/** `message_template_status_update`. */
export function announce(sim: Sim, template: Template, event: string, more: object = {}): void {
  emit(sim, template, 'message_template_status_update', {
    event,
    ...named(template),
    reason: event === 'PENDING_DELETION' ? null : 'NONE',
    message_template_category: template.category,
    ...more,
  });
}

export function changeQuality(sim: Sim, template: Template, score: Template['quality']): void {
  const previous = template.quality;
  Object.assign(template, { quality: score, qualityDate: sim.time.seconds() });
  const scores = { previous_quality_score: previous, new_quality_score: score };
  emit(sim, template, 'message_template_quality_update', { ...scores, ...named(template) });
}

/** The platform finds that the template belongs elsewhere, and moves it. */
export function changeCategory(sim: Sim, template: Template, category: string): void {
  template.previousCategory = template.category;
  template.category = category;
  const change = { previous_category: template.previousCategory, new_category: category };
  emit(sim, template, 'template_category_update', { ...named(template), ...change });
}

/** The id is a number here, a string in answers. */
const named = (template: Template) => ({
  message_template_id: Number(template.id),
  message_template_name: template.name,
  message_template_language: template.language,
});

const emit = (sim: Sim, { accountId }: Template, field: string, value: object): void =>
  sim.outbox.emit({ accountId, numberId: null, field, value });
