import { ApiProblem } from '../../api/problem.ts';
import type { Body, Schema } from '../../api/types.ts';
import {
  blankInteractive,
  type InteractiveForm,
  interactiveFormOf,
  interactiveOf,
  interactivePath,
  isBlank,
} from '../writing/interactive-form.ts';
import {
  blankTemplate,
  componentsOf,
  type TemplateForm,
  templateFormOf,
  templatePath,
} from '../writing/template-form.ts';
import { blankChain, type ChainForm, chainBodyOf, chainFormOf } from './chain-form.ts';
import { type TapAction, tapActionsOf, tapBodyOf } from './tap-actions.ts';

export type Intro = Schema<'StoredChatIntro'>;
type Request = Body<'/v2/chatapp/chat-intros/', 'post'>;
export type ReplyType = Intro['reply_type'];
export type AltType = 'INTERACTIVE' | 'LIST' | 'CTA' | 'FLOW' | 'QUICK_REPLY';

/** An intro while it is edited. Names are the API's wherever the API's errors are to stand at a field. */
export interface IntroForm extends ChainForm {
  chatapp_number: string;
  reference_id: string;
  expected_message_template: string;
  link_code: Intro['link_code'];
  reply_type: ReplyType;
  reply_message_template: string;
  reply_message_file_url: string;
  reply_data: InteractiveForm;
  alternative: boolean;
  reply_alt: {
    type: AltType;
    filter: { name: string; gte: string; lte: string }[];
    chatapp_components: InteractiveForm;
  };
  intro_message_template: string;
  bparty_expiry_link: boolean;
  aparty_notify: TemplateForm;
  intro_bparty_number: string;
  intro_message_aparty: string;
  button_actions: TapAction[];
  variables: { name: string; value: string }[];
  meta_data: string;
}

export const blankIntro = (): IntroForm => ({
  chatapp_number: '',
  reference_id: '',
  expected_message_template: '',
  link_code: 'auto',
  reply_type: 'TEXT',
  reply_message_template: '',
  reply_message_file_url: '',
  reply_data: blankInteractive(),
  alternative: false,
  reply_alt: { type: 'QUICK_REPLY', filter: [], chatapp_components: blankInteractive() },
  intro_message_template: '',
  ...blankChain(),
  bparty_expiry_link: false,
  aparty_notify: blankTemplate(),
  intro_bparty_number: '',
  intro_message_aparty: '',
  button_actions: [],
  variables: [],
  meta_data: '{}',
});

interface StoredAlt {
  type?: AltType;
  filter?: Record<string, { gte?: string; lte?: string }>;
  chatapp_components?: object;
  whatsapp_components?: object;
}

/** A stored intro, to be edited. */
export function formOf(intro: Intro): IntroForm {
  const { aparty_notify_data: aparty, aparty_intro_data: direct } = intro;
  const alt = intro.reply_alt_data as StoredAlt;
  const altType = alt.type ?? 'QUICK_REPLY';
  return {
    chatapp_number: intro.chatapp_number,
    reference_id: intro.reference_id ?? '',
    expected_message_template: intro.expected_message_template,
    link_code: intro.link_code,
    reply_type: intro.reply_type,
    reply_message_template: intro.reply_message_template,
    reply_message_file_url: intro.reply_message_file_url ?? '',
    reply_data: interactiveFormOf(intro.reply_data, intro.reply_type),
    alternative: alt.type !== undefined,
    reply_alt: {
      type: altType,
      filter: Object.entries(alt.filter ?? {}).map(([name, { gte = '', lte = '' }]) => ({ name, gte, lte })),
      chatapp_components: interactiveFormOf(alt.chatapp_components ?? alt.whatsapp_components ?? {}, altType),
    },
    intro_message_template: intro.intro_message_template,
    ...chainFormOf(intro),
    bparty_expiry_link: intro.bparty_expiry_link,
    aparty_notify: templateFormOf(aparty.chatapp_template_name ?? '', aparty.chatapp_template_components ?? []),
    intro_bparty_number: direct.intro_bparty_number ?? '',
    intro_message_aparty: direct.intro_message_aparty ?? '',
    button_actions: tapActionsOf(intro.button_actions),
    variables: Object.entries(intro.extra_variable_data).map(([name, value]) => ({ name, value })),
    meta_data: JSON.stringify(intro.meta_data, null, 2),
  };
}

const interactiveTypes: readonly string[] = ['INTERACTIVE', 'LIST', 'CTA', 'FLOW', 'QUICK_REPLY'];
export const isInteractive = (type: ReplyType): boolean => interactiveTypes.includes(type);

/** The request that stores it. */
export function bodyOf(form: IntroForm): Request {
  const { aparty_notify: aparty, reply_data: data, reply_alt: alt } = form;
  return {
    chatapp_number: form.chatapp_number,
    reference_id: form.reference_id || null,
    expected_message_template: form.expected_message_template,
    link_code: form.link_code,
    reply_type: form.reply_type,
    reply_message_template: form.reply_message_template,
    reply_message_file_url: form.reply_message_file_url || null,
    reply_data: isInteractive(form.reply_type) && !isBlank(data) ? interactiveOf(data) : {},
    reply_alt: form.alternative ? altOf(alt) : {},
    intro_message_template: form.intro_message_template,
    ...chainBodyOf(form),
    bparty_expiry_link: form.bparty_expiry_link,
    aparty_notify_chatapp_template_name: aparty.name,
    aparty_notify_chatapp_template_components: aparty.name ? componentsOf(aparty) : [],
    intro_bparty_number: form.intro_bparty_number,
    intro_message_aparty: form.intro_message_aparty,
    button_actions: tapBodyOf(form.button_actions),
    extra_variable_data: Object.fromEntries(
      form.variables.filter(({ name }) => name !== '').map(({ name, value }) => [name, value]),
    ),
    meta_data: JSON.parse(form.meta_data || '{}') as Record<string, unknown>,
  };
}

const altOf = ({ type, filter, chatapp_components }: IntroForm['reply_alt']) =>
  ({
    type,
    filter: Object.fromEntries(
      filter.map(({ name, gte, lte }) => [name, { ...(gte && { gte }), ...(lte && { lte }) }]),
    ),
    chatapp_components: interactiveOf(chatapp_components),
  }) as unknown as NonNullable<Request['reply_alt']>;

/** The API's errors under the names of the form's fields. */
export function rename(error: unknown, form: IntroForm): unknown {
  if (!(error instanceof ApiProblem) || Object.keys(error.fields).length === 0) return error;
  const moved = Object.entries(error.fields).map(([path, text]) => [placeOf(path, form), [text]]);
  return new ApiProblem(error.status, Object.fromEntries(moved), error.requestId);
}

function placeOf(path: string, form: IntroForm): string {
  const after = (prefix: string) => (path.startsWith(prefix) ? path.slice(prefix.length) : undefined);
  const data = after('reply_data.');
  if (data !== undefined) return `reply_data.${interactivePath(data)}`;
  const alt = after('reply_alt.chatapp_components.');
  if (alt !== undefined) return `reply_alt.chatapp_components.${interactivePath(alt)}`;
  const bound = /^reply_alt\.filter\.(.+)\.(gte|lte)$/.exec(path);
  if (bound) return `reply_alt.filter.${form.reply_alt.filter.findIndex(({ name }) => name === bound[1])}.${bound[2]}`;
  for (const [prefix, name] of [
    ['notify', 'notify'],
    ['aparty_notify', 'aparty_notify'],
  ] as const) {
    if (path === `${prefix}_chatapp_template_name`) return `${name}.name`;
    const component = after(`${prefix}_chatapp_template_components.`);
    if (component !== undefined) return `${name}.${templatePath(form[name], component)}`;
  }
  const tap = /^button_actions\.(.+)\.(action|chat_intro)$/.exec(path);
  if (tap) return `button_actions.${form.button_actions.findIndex(({ id }) => id === tap[1])}.${tap[2]}`;
  const variable = after('extra_variable_data.');
  if (variable !== undefined) return `variables.${form.variables.findIndex(({ name }) => name === variable)}.value`;
  return path;
}

/** What the form itself refuses, because the API could not be asked. */
export const checks = {
  meta_data: (text: string) => (isObject(text) ? null : 'Enter an object of JSON, such as {"branch": "North"}.'),
  variables: {
    name: (name: string, { variables }: IntroForm) =>
      name !== '' && variables.filter((one) => one.name === name).length > 1 ? 'Another variable has this name.' : null,
  },
  notify: { rest: (text: string) => (isList(text) ? null : 'Enter a list of JSON objects.') },
  aparty_notify: { rest: (text: string) => (isList(text) ? null : 'Enter a list of JSON objects.') },
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
function isObject(text: string): boolean {
  const value = parsed(text || '{}');
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
const isList = (text: string): boolean => text.trim() === '' || Array.isArray(parsed(text));
