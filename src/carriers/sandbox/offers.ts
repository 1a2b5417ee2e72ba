import { type PhoneRow, presentOnPhone } from './phone.ts';
import type { Choice } from './written.ts';

/** A flow that a message opens: what its answer is recognised by, and what its first screen starts with. */
export interface FlowOffer {
  token: string;
  data: Record<string, unknown>;
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
const flows: Record<string, (content: any) => FlowOffer | undefined> = {
  INTERACTIVE: ({ interactive: { type, action } }) =>
    type === 'flow' ? offer(action.parameters.flow_token, action.parameters.flow_action_payload?.data) : undefined,
  TEMPLATE: ({ components = [] }: { components?: { sub_type?: string; parameters?: FlowParameter[] }[] }) => {
    const button = components.find(({ sub_type }) => sub_type === 'flow');
    const action = button?.parameters?.[0]?.action;
    return button && offer(action?.flow_token, action?.flow_action_data);
  },
};

interface FlowParameter {
  action?: { flow_token?: string; flow_action_data?: Record<string, unknown> };
}

/** The flow that a message opens, if it does. */
export const flowOf = ({ type, content }: PhoneRow): FlowOffer | undefined => flows[type]?.(content);

/** Without a token the platform puts this word. */
const offer = (token = 'unused', data: Record<string, unknown> = {}): FlowOffer => ({ token, data });
