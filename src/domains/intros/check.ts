import type { Db } from '../../platform/db/connect/pool.ts';
import { type FieldErrors, ValidationError } from '../../platform/errors.ts';
import { bodyValidator } from '../../platform/http/validation/index.ts';
import { type Interactive as Components, interactiveErrors } from '../messages/index.ts';
import { type Sender, ungrouped } from './fields.ts';
import { findIntros } from './queries.ts';
import { CallToAction, Flow, Interactive, List, QuickReply, type ReplyType } from './reply-schemas.ts';
import type { ChatIntroPatch, IntroFields } from './schemas.ts';

const required = ['This field is required.'];

const replyDataErrors: Partial<Record<ReplyType, ReturnType<typeof bodyValidator>>> = {
  INTERACTIVE: bodyValidator(Interactive),
  LIST: bodyValidator(List),
  CTA: bodyValidator(CallToAction),
  FLOW: bodyValidator(Flow),
  QUICK_REPLY: bodyValidator(QuickReply),
};

/**
 * Refuses an intro whose fields are valid one by one but do not go together. A change is checked together with the fields that it
 * leaves as they are.
 */
export function checkIntro(fields: IntroFields): void {
  const errors: FieldErrors = {
    ...notifyErrors(fields),
    ...replyErrors(fields),
    ...replyAltErrors(fields),
    ...buttonErrors(fields),
  };
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
}

/**
 * Refuses a request with the content of a notification but without `notify_type`. A `notify_type` of null would say that nobody is
 * to be notified.
 */
export function checkNotifyType(request: ChatIntroPatch): void {
  const fields = ungrouped(request);
  const { notify_type } = fields;
  const isMeant = [...byChat, ...bySms].some((name) => (fields[name] ?? '') !== '');
  if (notify_type === undefined && isMeant) throw new ValidationError({ notify_type: required });
}

/** Refuses buttons that start an intro that does not exist or belongs to another number. */
export async function checkStarted(
  db: Db,
  accountId: string,
  { button_actions }: IntroFields,
  sender: Sender,
): Promise<void> {
  const started = Object.entries(button_actions).flatMap(([id, { action, chat_intro }]) =>
    action === 'START' && chat_intro !== undefined ? [{ id, chat_intro }] : [],
  );
  if (started.length === 0) return;
  const found = await findIntros(
    db,
    accountId,
    started.map(({ chat_intro }) => chat_intro),
  );
  const wrong = started.filter(({ chat_intro }) => found.get(chat_intro)?.chatapp_account !== sender.uuid);
  if (wrong.length === 0) return;
  throw new ValidationError({
    button_actions: Object.fromEntries(wrong.map(({ id }) => [id, { chat_intro: ['Not found.'] }])),
  });
}

const byChat = ['notify_to_phone_number', 'notify_chatapp_template_name'] as const;
const bySms = ['notify_to_phone_number', 'notify_sms_from', 'notify_sms_template'] as const;

function notifyErrors(fields: IntroFields): FieldErrors {
  const { notify_type, notify_sms_from, notify_sms_template, notify_timeout, notify_reminder } = fields;
  if (notify_type === null) return {};
  const needed = new Set<keyof IntroFields>(notify_type === 'SMS' ? bySms : byChat);
  if (notify_sms_template !== '') needed.add('notify_sms_from');
  if (notify_sms_from !== '') needed.add('notify_sms_template');
  const missing = [...needed].filter((name) => fields[name] === '').map((name) => [name, required]);
  const isLate = notify_timeout > 0 && notify_reminder >= notify_timeout;
  return {
    ...Object.fromEntries(missing),
    ...(isLate && { notify_reminder: ['Ensure this value is less than notify_timeout.'] }),
  };
}

function buttonErrors({ button_actions }: IntroFields): FieldErrors {
  const errors = Object.entries(button_actions).flatMap(([id, { action, chat_intro }]): [string, FieldErrors][] => {
    if (action === 'START') return chat_intro === undefined ? [[id, { chat_intro: required }]] : [];
    return chat_intro === undefined ? [] : [[id, { chat_intro: ['Only START starts an intro.'] }]];
  });
  return errors.length === 0 ? {} : { button_actions: Object.fromEntries(errors) };
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
