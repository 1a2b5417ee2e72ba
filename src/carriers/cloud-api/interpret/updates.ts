import type { InboundEvent, Receipt, SenderRef } from '../../ports/inbox.ts';
import { type Fields, fieldsOf, idOf, keptFields, listOf, momentOf, personOf, textOf } from './read.ts';

/** A voice note that was played was read. */
const statuses: ReadonlyMap<unknown, Receipt['status']> = new Map([
  ['sent', 'SENT'],
  ['delivered', 'DELIVERED'],
  ['read', 'READ'],
  ['played', 'READ'],
  ['failed', 'FAILED'],
]);

/** As our ids are printed (RFC 9562, version 7). */
const ourId = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** One element of `statuses`; 'not ours' for a message that another program sent with the same number. */
export function readStatus(item: unknown, sender: SenderRef): InboundEvent | 'not ours' | undefined {
  const report = fieldsOf(item);
  if (!report) return undefined;
  const messageUuid = textOf(report.biz_opaque_callback_data);
  if (messageUuid === undefined || !ourId.test(messageUuid)) return 'not ours';
  const [id, status, at] = [idOf(report.id), statuses.get(report.status), momentOf(report.timestamp)];
  if (id === undefined || !status || !at) return undefined;
  const receipt = { kind: 'receipt' as const, sender, messageUuid, status, carrierMessageId: id, at };
  return status === 'FAILED' ? { ...receipt, ...failureOf(report.errors) } : receipt;
}

/** The first error says it; titles are said to go away, so details count. */
function failureOf(errors: unknown): { code?: string; description?: string } {
  const error = fieldsOf(listOf(errors)[0]) ?? {};
  const code = idOf(error.code);
  const description =
    textOf(fieldsOf(error.error_data)?.details) || textOf(error.title) || textOf(error.message) || undefined;
  return { ...(code !== undefined && { code }), ...(description !== undefined && { description }) };
}

/** One element of `user_preferences`: what a person told the platform about marketing. */
export function readPreference(item: unknown, sender: SenderRef): InboundEvent | undefined {
  const preference = fieldsOf(item);
  if (preference?.category !== 'marketing_messages') return undefined;
  const [from, at] = [personOf(preference.wa_id, preference.user_id), momentOf(preference.timestamp)];
  if (!from || !at || (preference.value !== 'stop' && preference.value !== 'resume')) return undefined;
  const text = textOf(preference.detail) ?? '';
  return { kind: 'preference', sender, from, wantsMarketing: preference.value === 'resume', text, at };
}

type Reader = (value: Fields, sender: SenderRef) => InboundEvent | undefined;

const readers: ReadonlyMap<string, Reader> = new Map([
  ['message_template_status_update', readTemplateStatus],
  ['message_template_quality_update', readTemplateQuality],
  ['template_category_update', readTemplateCategory],
  ['flows', readFlow],
  ['phone_number_quality_update', readQuality],
]);

/** An update that is no list: about templates, flows, the number or the account. What is not understood is a notice. */
export const readUpdate = (field: string, value: Fields, sender: SenderRef): InboundEvent =>
  readers.get(field)?.(value, sender) ?? { kind: 'notice', sender, title: field, data: keptFields(value) };

/** Languages are printed with a dash in places. */
function templateIn(value: Fields, sender: SenderRef) {
  const id = idOf(value.message_template_id);
  const name = textOf(value.message_template_name);
  const languageCode = textOf(value.message_template_language)?.replaceAll('-', '_');
  if (id === undefined || name === undefined || languageCode === undefined) return undefined;
  return { kind: 'template' as const, sender, id, name, languageCode };
}

function readTemplateStatus(value: Fields, sender: SenderRef): InboundEvent | undefined {
  const template = templateIn(value, sender);
  const status = textOf(value.event);
  if (!template || !status) return undefined;
  const reason = reasonOf(value, status);
  const category = textOf(value.message_template_category);
  return { ...template, status, ...(reason && { reason }), ...(category && { category }) };
}

/** Why it was rejected; of a pause, which one it is. */
function reasonOf(value: Fields, status: string): string | undefined {
  const reason = textOf(value.reason);
  if (reason && reason !== 'NONE') return reason;
  return status === 'PAUSED' || status === 'DISABLED' ? textOf(fieldsOf(value.other_info)?.title) : undefined;
}

function readTemplateQuality(value: Fields, sender: SenderRef): InboundEvent | undefined {
  const template = templateIn(value, sender);
  const quality = textOf(value.new_quality_score);
  return template && quality ? { ...template, quality } : undefined;
}

/** With a `correct_category` it is an announcement: the category stays what it is for another day. */
function readTemplateCategory(value: Fields, sender: SenderRef): InboundEvent | undefined {
  const template = templateIn(value, sender);
  const category = textOf(value.new_category);
  return template && category && value.correct_category === undefined ? { ...template, category } : undefined;
}

/** Of the many things told about flows only their status is of use to a program. */
function readFlow(value: Fields, sender: SenderRef): InboundEvent | undefined {
  const [id, status] = [idOf(value.flow_id), textOf(value.new_status)];
  if (value.event !== 'FLOW_STATUS_CHANGE' || id === undefined || !status) return undefined;
  return { kind: 'flow', sender, id, status };
}

const qualities = ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'];
/** A number is flagged when its quality is low; when it no longer is, the platform does not say how good it has become. */
const flags: ReadonlyMap<unknown, string> = new Map([
  ['FLAGGED', 'RED'],
  ['UNFLAGGED', 'UNKNOWN'],
]);

function readQuality(value: Fields, sender: SenderRef): InboundEvent | undefined {
  const named = [value.quality_rating, value.new_quality_score].find((score) => qualities.includes(String(score)));
  const quality = textOf(named) ?? flags.get(value.event);
  if (quality === undefined) return undefined;
  // The number is named as people read it, and only here.
  const number = textOf(value.display_phone_number);
  return { kind: 'quality', sender: number ? { number: `+${number.replace(/^\+/, '')}` } : sender, quality };
}
