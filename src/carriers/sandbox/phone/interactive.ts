import { headerWithAddress } from './files.ts';
import type { View } from './phone.ts';

interface Reply {
  id: string;
  title: string;
  description?: string;
}

/** As accepted: every button and row has its id. */
interface Interactive {
  header?: { type: string; [kind: string]: unknown };
  body: { text: string };
  footer?: { text: string };
  action: {
    name?: string;
    buttons?: (Reply & { reply?: Reply })[];
    button?: string;
    sections?: { title?: string; rows: Reply[] }[];
    parameters?: { display_text?: string; url?: string; flow_cta?: string; flow_id?: string; flow_name?: string };
  };
}

export const presentInteractive = ({ header, body, footer, action }: Interactive): Partial<View> => ({
  header: headerWithAddress(header),
  text: body.text,
  footer: footer?.text ?? '',
  buttons: buttonsOf(action),
  list: action.sections ? { title: action.button ?? '', sections: action.sections.map(presentSection) } : null,
});

function buttonsOf({ name, buttons, parameters }: Interactive['action']): View['buttons'] {
  if (buttons)
    return buttons.map(({ reply, ...button }) => ({ type: 'reply', ...titleAndId(reply ?? button), value: '' }));
  if (name === 'send_location') return [{ type: 'send_location', title: 'Send location', id: '', value: '' }];
  if (!parameters) return [];
  const { display_text, url, flow_cta = '', flow_id, flow_name } = parameters;
  return display_text === undefined
    ? [{ type: 'flow', title: flow_cta, id: '', value: flow_id ?? flow_name ?? '' }]
    : [{ type: 'url', title: display_text, id: '', value: url ?? '' }];
}

const titleAndId = ({ title, id }: Reply) => ({ title, id });

const presentSection = ({ title = '', rows }: { title?: string; rows: Reply[] }) => ({
  title,
  rows: rows.map(({ id, title, description = '' }) => ({ id, title, description })),
});

/** What a person tapped or filled in: the words that were on it. */
export function presentReply({ type, ...kinds }: { type: string; [kind: string]: unknown }): Partial<View> {
  const { title, body } = kinds[type] as { title?: string; body?: string };
  return { text: title ?? body ?? '' };
}
