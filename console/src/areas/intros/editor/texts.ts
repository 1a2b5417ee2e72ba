import { sendsSms } from '../../../parts/intros/chain-form.ts';
import { type IntroForm, isInteractive } from '../../../parts/intros/form.ts';
import { componentsOf, type InteractiveForm, interactiveOf, isBlank } from '../../../parts/writing/index.ts';

/** Every text in a value, however deep. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** All the texts of an intro that are sent, and so may have placeholders in them. */
export function textsOf(form: IntroForm): string[] {
  const said = (data: InteractiveForm): string[] => textsIn(interactiveOf(data));
  const interactive = isInteractive(form.reply_type) && !isBlank(form.reply_data);
  return [
    form.expected_message_template,
    ...(interactive ? said(form.reply_data) : [form.reply_message_template, form.reply_message_file_url]),
    ...(form.alternative ? said(form.reply_alt.chatapp_components) : []),
    form.intro_message_template,
    ...(form.notified && form.notify_type === 'CHATAPP' ? textsIn(componentsOf(form.notify)) : []),
    ...(form.notified && sendsSms(form) ? [form.notify_sms_template] : []),
    ...(form.aparty_notify.name ? textsIn(componentsOf(form.aparty_notify)) : []),
    ...(form.intro_bparty_number ? [form.intro_message_aparty] : []),
  ];
}
