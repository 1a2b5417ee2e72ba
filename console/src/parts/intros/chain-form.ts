import type { Body, Schema } from '../../api/types.ts';
import { blankTemplate, componentsOf, type TemplateForm, templateFormOf } from '../writing/template-form.ts';

type Intro = Schema<'StoredChatIntro'>;
type Request = Body<'/v2/chatapp/chat-intros/', 'post'>;
export type Strategy = NonNullable<Schema<'NotifyAgents'>['strategy']>;

/** Whom an intro notifies, one after the other, while it is edited. */
export interface ChainForm {
  notified: boolean;
  notify_type: 'CHATAPP' | 'SMS';
  notify_to_phone_number: string;
  notify: TemplateForm;
  notify_delay: number | '';
  /** After the template, the same person is notified by SMS. */
  by_sms: boolean;
  notify_sms_from: string;
  notify_sms_template: string;
  /** After them, agents are. */
  by_agents: boolean;
  notify_agents: { skill: string; strategy: Strategy };
  notify_timeout: number | '';
  notify_reminder: number | '';
}

export const blankChain = (): ChainForm => ({
  notified: false,
  notify_type: 'CHATAPP',
  notify_to_phone_number: '',
  notify: blankTemplate(),
  notify_delay: 0,
  by_sms: false,
  notify_sms_from: '',
  notify_sms_template: '',
  by_agents: false,
  notify_agents: { skill: '', strategy: 'ROUND_ROBIN' },
  notify_timeout: 0,
  notify_reminder: 0,
});

/** Whether an SMS is among the notifications. */
export const sendsSms = ({ notify_type, by_sms }: ChainForm): boolean => notify_type === 'SMS' || by_sms;
/** Whether somebody is notified after the first. */
export const goesOn = ({ notify_type, by_sms, by_agents }: ChainForm): boolean =>
  by_agents || (notify_type === 'CHATAPP' && by_sms);

export function chainFormOf(intro: Intro): ChainForm {
  const { notify_data: notify, notify_agents: agents } = intro;
  return {
    notified: intro.notify_type !== null,
    notify_type: intro.notify_type ?? 'CHATAPP',
    notify_to_phone_number: notify.to_phone_number ?? '',
    notify: templateFormOf(
      notify.chatapp_template_name ?? '',
      notify.chatapp_template_components ?? [],
      notify.chatapp_template_params,
    ),
    notify_delay: intro.notify_delay,
    by_sms: intro.notify_sms_template !== '',
    notify_sms_from: intro.notify_sms_from,
    notify_sms_template: intro.notify_sms_template,
    by_agents: agents !== null,
    notify_agents: { skill: agents?.skill ?? '', strategy: agents?.strategy ?? 'ROUND_ROBIN' },
    notify_timeout: intro.notify_timeout,
    notify_reminder: intro.notify_reminder,
  };
}

/** What of the request is about notifications. What is not used is left as it is, or emptied where it would be used. */
export function chainBodyOf(form: ChainForm): Partial<Request> {
  if (!form.notified) return { notify_type: null };
  const { notify_type, notify } = form;
  return {
    notify_type,
    notify_to_phone_number: form.notify_to_phone_number,
    ...(notify_type === 'CHATAPP' && {
      notify_chatapp_template_name: notify.name,
      notify_chatapp_template_params: [],
      notify_chatapp_template_components: componentsOf(notify),
    }),
    notify_delay: form.notify_delay || 0,
    notify_sms_from: sendsSms(form) ? form.notify_sms_from : '',
    notify_sms_template: sendsSms(form) ? form.notify_sms_template : '',
    notify_agents: form.by_agents ? form.notify_agents : null,
    notify_timeout: goesOn(form) ? form.notify_timeout || 0 : 0,
    notify_reminder: form.notify_reminder || 0,
  };
}
