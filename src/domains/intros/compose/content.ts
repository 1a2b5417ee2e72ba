import { sentenceOf } from '../../../platform/errors.ts';
import { type Filler, makeFiller, upTo } from '../../../platform/text/fill.ts';
import { messageErrors, type sendMessages } from '../../messages/index.ts';
import { fillComponents } from '../../templates/index.ts';
import type { IntroFields } from '../schemas.ts';

type MessageCreate = Parameters<typeof sendMessages>[1][number]['request'];
type WithoutNumbers<M> = M extends unknown ? Omit<M, 'chatapp_number' | 'to_chatapp_number'> : never;

/** A message without its sender and recipient. */
export type Content = WithoutNumbers<Extract<MessageCreate, { type: 'TEXT' | 'IMAGE' | 'INTERACTIVE' | 'TEMPLATE' }>>;

/** Why a message could not be made, in one sentence. */
export interface Problem {
  problem: string;
  /** The message is not needed, so that this is no failure to report. */
  needless?: true;
}

export interface Filled {
  content: Content;
  /** Placeholders that had no value. */
  missing: string[];
}

/** Any numbers will do: only the content is checked. */
const numbers = { chatapp_number: '15550000001', to_chatapp_number: '15550000002' };

/** The content, if the platform would take it; else a sentence that calls it `said`. */
export function checked(content: object, filler: Filler, said: string): Filled | Problem {
  if (filler.isTooLong()) return { problem: `${said}With its placeholders filled in, the text is too long.` };
  const errors = messageErrors({ ...numbers, ...content });
  if (!errors) return { content: content as Content, missing: filler.missing() };
  return { problem: said + sentenceOf(errors) };
}

type Component = IntroFields['notify_chatapp_template_components'][number];

interface StoredTemplate {
  name: string;
  components: Component[];
  /** The body's texts, for a template without a body component. */
  params: string[];
}

/** A template message as stored with an intro, filled in. */
export function composeTemplate(
  { name, components, params }: StoredTemplate,
  variables: Readonly<Record<string, string>>,
  flowToken: string,
): Filled | Problem {
  const filler = makeFiller(variables);
  const filled = fillComponents(withBody(components, params), filler).map((component) =>
    isFlowButton(component) ? withToken(component, flowToken) : component,
  );
  return checked({ type: 'TEMPLATE', template: { template_name: name, components: filled } }, filler, '');
}

function withBody(components: Component[], params: string[]): object[] {
  if (params.length === 0 || components.some(({ type }) => type === 'body')) return components;
  return [...components, { type: 'body', parameters: params.map((text) => ({ type: 'text', text })) }];
}

/** Sends a flow under the session's own token: answers come with the token, and tell by it which session they belong to. */
function withToken(button: { parameters?: { action?: { flow_token?: string } }[] }, flowToken: string): object {
  const [parameter] = button.parameters ?? [];
  const action = { ...parameter?.action, flow_token: parameter?.action?.flow_token || flowToken };
  return { ...button, parameters: [{ type: 'action', action }] };
}

const isFlowButton = (component: object): boolean => {
  const { type, sub_type } = component as { type?: string; sub_type?: string };
  return type === 'button' && sub_type === 'flow';
};

/** Whether these components ask the person to fill in a flow. */
export const flowButton = (components: readonly object[]): boolean => components.some(isFlowButton);

export interface FilledSms {
  sms: { from: string; text: string };
  missing: string[];
}

/** Ten parts of an SMS hold 670 characters of any kind. */
const longest = 660;

/** The text of a notification by SMS as stored with an intro, filled in. */
export function composeSms(
  { from, template }: { from: string; template: string },
  variables: Readonly<Record<string, string>>,
): FilledSms | Problem {
  const filler = makeFiller(variables);
  const text = filler.fill(template, upTo(longest)) as string;
  if (text.trim() === '') return { problem: 'The text of the SMS is empty.' };
  return { sms: { from, text }, missing: filler.missing() };
}
