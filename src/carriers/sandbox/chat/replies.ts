import type { InboundType } from '../../ports/inbox.ts';
import { type PhoneRow, presentOnPhone } from '../phone/phone.ts';
import type { DefinedPart } from '../phone/template.ts';

/** What a person writes on their phone, in the API's shapes. */
export interface Written {
  type: InboundType;
  content: Record<string, unknown>;
  /** The message it answers or reacts to. */
  quotes?: string;
}

/** Something that a person can tap, and what the tap answers with. */
export interface Choice {
  kind: 'button_reply' | 'list_reply';
  id: string;
  title: string;
  description?: string;
}

export const text = (body: string): Written => ({ type: 'TEXT', content: { text: { body } } });

export const tap = ({ kind, ...choice }: Choice): Written => ({
  type: 'INTERACTIVE',
  content: { interactive: { type: kind, [kind]: choice } },
});

export function filledFlow({ token, answers }: { token: string; answers: object }): Written {
  const nfm_reply = { name: 'flow', body: 'Sent', flow_token: token, answers };
  return { type: 'INTERACTIVE', content: { interactive: { type: 'nfm_reply', nfm_reply } } };
}

export const media = (type: InboundType, media: object): Written => ({ type, content: { media } });

export const location = (location: object): Written => ({ type: 'LOCATION', content: { location } });

export const reaction = (emoji: string, to: string): Written => ({
  type: 'REACTION',
  content: { reaction: { message_uuid: to, emoji } },
  quotes: to,
});

export const quoting = (written: Written, message: { uuid: string } | undefined): Written =>
  message ? { ...written, quotes: message.uuid } : written;

/** A flow that a message opens: what its answer is recognised by, and what its first screen starts with. */
export interface FlowOffer {
  token: string;
  data: Record<string, unknown>;
  /** The one it begins with; '': its first. */
  screen: string;
  /** Either may be missing: a message names one of them, or leaves it to the template. */
  id: string | undefined;
  name: string | undefined;
}

const replyButtons = new Set(['reply', 'quick_reply']);

/** What a person can tap to answer a message, in the order in which it stands on the phone. */
export function choicesOf(message: PhoneRow): Choice[] {
  const { buttons, cards, list } = presentOnPhone(message);
  const tappable = [buttons, ...cards.map((card) => card.buttons)].flat().filter(({ type }) => replyButtons.has(type));
  const rows = list?.sections.flatMap((section) => section.rows) ?? [];
  return [
    // A template's button answers with its payload, and without one with its words.
    ...tappable.map(({ id, value, title }) => ({ kind: 'button_reply', id: id || value || title, title }) as const),
    ...rows.map(
      ({ description, ...row }) => ({ kind: 'list_reply', ...row, ...(description && { description }) }) as const,
    ),
  ];
}

// The content was checked when the message was accepted.
// biome-ignore lint/suspicious/noExplicitAny: its shape is told by its type
const flows: Record<string, (content: any, template: DefinedPart[] | null) => FlowOffer | undefined> = {
  INTERACTIVE({ interactive: { type, action } }) {
    if (type !== 'flow') return undefined;
    const { flow_id, flow_name, flow_token, flow_action_payload } = action.parameters;
    return offer(flow_token, flow_action_payload?.data, {
      id: flow_id,
      name: flow_name,
      screen: flow_action_payload?.screen ?? '',
    });
  },
  TEMPLATE({ components = [] }: { components?: { sub_type?: string; parameters?: FlowParameter[] }[] }, template) {
    const button = components.find(({ sub_type }) => sub_type === 'flow');
    const buttons = template?.find(({ type }) => type === 'BUTTONS')?.buttons;
    const defined = buttons?.find(({ type }) => type === 'FLOW');
    if (!button && !defined) return undefined;
    const action = button?.parameters?.[0]?.action;
    return offer(action?.flow_token, action?.flow_action_data, {
      id: defined?.flow_id,
      name: defined?.flow_name,
      screen: defined?.navigate_screen ?? '',
    });
  },
};

interface FlowParameter {
  action?: { flow_token?: string; flow_action_data?: Record<string, unknown> };
}

/** The flow that a message opens, if it does. */
export const flowOf = ({ type, content, template }: PhoneRow): FlowOffer | undefined =>
  flows[type]?.(content, template as DefinedPart[] | null);

/** Without a token the platform puts this word. */
const offer = (
  token = 'unused',
  data: Record<string, unknown> = {},
  which: Pick<FlowOffer, 'id' | 'name' | 'screen'>,
): FlowOffer => ({ token, data, ...which });

/** What a person answers to a message; undefined when it offers nothing to answer with. */
export type Reply = (message: PhoneRow) => Written | undefined;

export const says =
  (body: string): Reply =>
  () =>
    text(body);

export const echoes: Reply = (message) => {
  const shown = presentOnPhone(message).text;
  return shown === '' ? undefined : text(shown);
};

export const pressesFirst: Reply = (message) => {
  const [first] = choicesOf(message);
  return first && quoting(tap(first), message);
};

/** Confirms what the flow started with; a flow that started with nothing gets a plain yes. */
export const fillsIn: Reply = (message) => {
  const flow = flowOf(message);
  if (!flow) return undefined;
  const answers = Object.keys(flow.data).length > 0 ? flow.data : { answer: 'Yes' };
  return quoting(filledFlow({ token: flow.token, answers }), message);
};

export const reacts =
  (emoji: string): Reply =>
  ({ uuid, type }) =>
    // Nobody reacts to a reaction.
    type === 'REACTION' ? undefined : reaction(emoji, uuid);
