import { international } from '../../platform/phone.ts';
import type { ChatappAccount } from '../chatapp-accounts/index.ts';
import type { ChatTarget } from '../links/index.ts';
import { linkText, matchKeys, referenceKeyOf, withCode } from './match/keys.ts';
import type { IntroRow } from './queries.ts';
import {
  type ChatIntroCreate,
  type ChatIntroPatch,
  chainOf,
  type IntroFields,
  noChain,
  type StoredJson,
} from './schemas.ts';

type Given = Partial<IntroFields>;

/** A request without groups: groups, as a response has them, become fields. A field that is also given outside its group counts. */
export function ungrouped<R extends ChatIntroPatch>(request: R): Omit<R, Group> & Given {
  const { reply_alt_data, notify_data, aparty_notify_data, aparty_intro_data, ...fields } = request;
  const grouped: Given = {
    ...(reply_alt_data && { reply_alt: reply_alt_data }),
    ...(notify_data && {
      notify_to_phone_number: notify_data.to_phone_number ?? '',
      notify_chatapp_template_name: notify_data.chatapp_template_name ?? '',
      notify_chatapp_template_params: notify_data.chatapp_template_params ?? [],
      notify_chatapp_template_components: notify_data.chatapp_template_components ?? [],
    }),
    ...(aparty_notify_data && {
      aparty_notify_chatapp_template_name: aparty_notify_data.chatapp_template_name ?? '',
      aparty_notify_chatapp_template_components: aparty_notify_data.chatapp_template_components ?? [],
    }),
    ...(aparty_intro_data && {
      intro_bparty_number: aparty_intro_data.intro_bparty_number ?? '',
      intro_message_aparty: aparty_intro_data.intro_message_aparty ?? '',
    }),
  };
  return { ...grouped, ...fields };
}
type Group = 'reply_alt_data' | 'notify_data' | 'aparty_notify_data' | 'aparty_intro_data';

/** The whole intro that a request describes: what it leaves out has its default. */
export const withDefaults = (request: ChatIntroCreate): IntroFields => ({
  reference_id: null,
  expected_message_template: '',
  reply_message_template: '',
  reply_message_file_url: null,
  reply_type: 'TEXT',
  reply_data: {},
  reply_alt: {},
  intro_message_template: '',
  notify_type: null,
  notify_to_phone_number: '',
  notify_chatapp_template_name: '',
  notify_chatapp_template_params: [],
  notify_chatapp_template_components: [],
  notify_delay: 0,
  ...noChain,
  link_code: 'auto',
  button_actions: {},
  aparty_notify_chatapp_template_name: '',
  aparty_notify_chatapp_template_components: [],
  intro_bparty_number: '',
  intro_message_aparty: '',
  bparty_expiry_link: false,
  extra_variable_data: {},
  meta_data: {},
  ...ungrouped(request),
});

export type Sender = Pick<ChatappAccount, 'uuid' | 'digits'>;

/** The request's fields as they are stored: grouped as the response shows them. */
export function columnsOf(fields: IntroFields, sender: Sender) {
  const json: StoredJson = {
    reply_data: fields.reply_data,
    reply_alt_data: fields.reply_alt,
    notify_data: {
      to_phone_number: fields.notify_to_phone_number,
      chatapp_template_name: fields.notify_chatapp_template_name,
      chatapp_template_params: fields.notify_chatapp_template_params,
      chatapp_template_components: fields.notify_chatapp_template_components,
    },
    aparty_notify_data: {
      chatapp_template_name: fields.aparty_notify_chatapp_template_name,
      chatapp_template_components: fields.aparty_notify_chatapp_template_components,
    },
    aparty_intro_data: {
      intro_bparty_number: fields.intro_bparty_number,
      intro_message_aparty: fields.intro_message_aparty,
    },
    extra_variable_data: fields.extra_variable_data,
    meta_data: fields.meta_data,
    button_actions: fields.button_actions,
    notify_chain: {
      notify_sms_from: fields.notify_sms_from,
      notify_sms_template: fields.notify_sms_template,
      notify_agents: fields.notify_agents,
      notify_timeout: fields.notify_timeout,
      notify_reminder: fields.notify_reminder,
    },
  };
  return {
    chatapp_account: sender.uuid,
    chatapp_number: fields.chatapp_number,
    chatapp_digits: sender.digits,
    reference_id: fields.reference_id,
    reference_key: referenceKeyOf(fields.reference_id),
    expected_message_template: fields.expected_message_template,
    reply_message_template: fields.reply_message_template,
    reply_message_file_url: fields.reply_message_file_url,
    reply_type: fields.reply_type,
    intro_message_template: fields.intro_message_template,
    notify_type: fields.notify_type,
    notify_delay: fields.notify_delay,
    link_code: fields.link_code,
    bparty_expiry_link: fields.bparty_expiry_link,
    ...mapValues(json, JSON.stringify),
  };
}

/** What inbound messages are compared with. */
export const keysOf = (fields: IntroFields, { uuid }: Sender) => ({ chatapp_account: uuid, ...matchKeys(fields) });

/** Where the link of the intro leads. */
export const targetOf = (fields: IntroFields, { uuid, digits }: Sender, code: string): ChatTarget => ({
  chatappAccount: uuid,
  number: international(digits),
  text: withCode(linkText(fields), code),
});

/** The other way: a stored intro in the words of the request, ready for a change. */
export const fieldsOf = (row: IntroRow): IntroFields => ({
  chatapp_number: row.chatapp_number,
  reference_id: row.reference_id,
  expected_message_template: row.expected_message_template,
  reply_message_template: row.reply_message_template,
  reply_message_file_url: row.reply_message_file_url,
  reply_type: row.reply_type,
  reply_data: row.reply_data,
  reply_alt: row.reply_alt_data,
  intro_message_template: row.intro_message_template,
  notify_type: row.notify_type,
  notify_to_phone_number: row.notify_data.to_phone_number,
  notify_chatapp_template_name: row.notify_data.chatapp_template_name,
  notify_chatapp_template_params: row.notify_data.chatapp_template_params,
  notify_chatapp_template_components: row.notify_data.chatapp_template_components,
  notify_delay: row.notify_delay,
  ...chainOf(row),
  link_code: row.link_code,
  button_actions: row.button_actions,
  aparty_notify_chatapp_template_name: row.aparty_notify_data.chatapp_template_name,
  aparty_notify_chatapp_template_components: row.aparty_notify_data.chatapp_template_components,
  intro_bparty_number: row.aparty_intro_data.intro_bparty_number,
  intro_message_aparty: row.aparty_intro_data.intro_message_aparty,
  bparty_expiry_link: row.bparty_expiry_link,
  extra_variable_data: row.extra_variable_data,
  meta_data: row.meta_data,
});

const mapValues = <T extends object, U>(object: T, change: (value: unknown) => U): Record<keyof T, U> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)])) as Record<keyof T, U>;

/** An intro as it was when a session started, in the words of the request: what the whole session goes by. */
export type IntroSnapshot = IntroFields & { uuid: string; shortcode: string };

export const snapshotOf = (row: IntroRow): IntroSnapshot => ({
  uuid: row.uuid,
  shortcode: row.shortcode,
  ...fieldsOf(row),
});
