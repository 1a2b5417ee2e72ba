import { type FieldErrors, ValidationError } from '../../platform/errors.ts';
import { bodyValidator } from '../../platform/http/validation/index.ts';
import { type Interactive as Components, interactiveErrors } from '../messages/index.ts';
import { ungrouped } from './fields.ts';
import { CallToAction, Flow, Interactive, List, QuickReply } from './interactive.ts';
import type { ChatIntroPatch, IntroFields, ReplyType } from './schemas.ts';

const required = ['This field is required.'];

const replyDataErrors: Partial<Record<ReplyType, ReturnType<typeof bodyValidator>>> = {
  INTERACTIVE: bodyValidator(Interactive),
  LIST: bodyValidator(List),
  CTA: bodyValidator(CallToAction),
  FLOW: bodyValidator(Flow),
  QUICK_REPLY: bodyValidator(QuickReply),
};

/** Refuses a whole intro whose fields, each good in itself, do not go together. A change is checked with what it leaves as it is. */
export function checkIntro(fields: IntroFields): void {
  const errors: FieldErrors = { ...notifyErrors(fields), ...replyErrors(fields), ...replyAltErrors(fields) };
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
}

/** Refuses a request that says how to notify somebody, and not that it be done: null would have said that it be not. */
export function checkNotifyType(request: ChatIntroPatch): void {
  const { notify_type, notify_to_phone_number = '', notify_chatapp_template_name = '' } = ungrouped(request);
  const isMeant = notify_to_phone_number !== '' || notify_chatapp_template_name !== '';
  if (notify_type === undefined && isMeant) throw new ValidationError({ notify_type: required });
}

function notifyErrors(fields: IntroFields): FieldErrors {
  if (fields.notify_type === null) return {};
  const needed = ['notify_to_phone_number', 'notify_chatapp_template_name'] as const;
  return Object.fromEntries(needed.filter((name) => fields[name] === '').map((name) => [name, required]));
}

/** An interactive reply may be left empty: `reply_alt` or the text then speaks. */
function replyErrors({ reply_type, reply_data }: IntroFields): FieldErrors {
  const check = replyDataErrors[reply_type];
  if (!check || Object.keys(reply_data).length === 0) return {};
  const errors = check(reply_data) ?? interactiveErrors(reply_data as unknown as Components);
  return errors ? { reply_data: errors } : {};
}

function replyAltErrors({ reply_alt }: IntroFields): FieldErrors {
  if (!('type' in reply_alt)) return {};
  const { chatapp_components, whatsapp_components } = reply_alt;
  if (chatapp_components && whatsapp_components) {
    return { reply_alt: { non_field_errors: ['Give chatapp_components or whatsapp_components, not both.'] } };
  }
  const name = whatsapp_components ? 'whatsapp_components' : 'chatapp_components';
  const components = reply_alt[name];
  const errors = components ? interactiveErrors(components) : required;
  return errors ? { reply_alt: { [name]: errors } } : {};
}
