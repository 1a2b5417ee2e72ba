import type { InboundEvent, SenderRef } from '../../ports/inbox.ts';
import { type Fields, fieldsOf, idOf, keptFields, textOf } from './read.ts';

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
