import type { PhoneMessage } from '../schemas.ts';
import { type Definition, headerWithAddress, presentTemplate, withAddress } from './template.ts';

/** A message on a phone, sent to it or written on it. */
export interface PhoneRow {
  uuid: string;
  direction: string;
  chatapp_number: string;
  type: string;
  content: unknown;
  /** The definition of a template, where it is known. */
  template: object[] | null;
  created: string;
}

/** A message by itself, without what became of it and what others say to it. */
export type Shown = Omit<PhoneMessage, 'status' | 'status_description' | 'context' | 'reactions' | 'flow'>;

/** What the person sees of the content; a message shows only some of it. */
export type View = Omit<Shown, 'uuid' | 'direction' | 'chatapp_number' | 'type' | 'created'>;

const nothing: View = {
  header: null,
  text: '',
  footer: '',
  buttons: [],
  list: null,
  media: null,
  location: null,
  contacts: [],
  reaction: null,
  offer_ends: null,
  cards: [],
};

/** A message as the person at the other end sees it. */
export const presentOnPhone = (row: PhoneRow): Shown => ({
  uuid: row.uuid,
  direction: row.direction === 'INBOUND' ? 'INBOUND' : 'OUTBOUND',
  chatapp_number: row.chatapp_number,
  type: row.type,
  ...nothing,
  ...views[row.type]?.(row.content, row),
  created: row.created,
});

// The content was checked when the message was accepted.
// biome-ignore lint/suspicious/noExplicitAny: its shape is told by its type, row by row
const views: Record<string, (content: any, row: PhoneRow) => Partial<View>> = {
  TEXT: ({ text }) => ({ text: text.body }),
  SMS: ({ text }) => ({ text }),
  IMAGE: presentMedia,
  VIDEO: presentMedia,
  AUDIO: presentMedia,
  DOCUMENT: presentMedia,
  STICKER: presentMedia,
  LOCATION: ({ location }) => ({ location, text: lines(location.name, location.address) }),
  CONTACTS: ({ contacts }) => ({ contacts, text: contacts.map(nameOf).join(', ') }),
  REACTION: ({ reaction }) => ({ reaction, text: reaction.emoji }),
  INTERACTIVE: ({ interactive }) => (interactive.action ? presentInteractive(interactive) : presentReply(interactive)),
  TEMPLATE: (content, { template }) => presentTemplate(content, template as Definition | null),
};

function presentMedia({ media }: { media: { caption?: string } }): Partial<View> {
  const { caption = '', ...shown } = media;
  return { media: withAddress(shown), text: caption };
}

const nameOf = (contact: { name: { formatted_name: string } }): string => contact.name.formatted_name;

const lines = (...texts: (string | undefined)[]): string => texts.filter(Boolean).join('\n');

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

const presentInteractive = ({ header, body, footer, action }: Interactive): Partial<View> => ({
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
function presentReply({ type, ...kinds }: { type: string; [kind: string]: unknown }): Partial<View> {
  const { title, body } = kinds[type] as { title?: string; body?: string };
  return { text: title ?? body ?? '' };
}
