import type { PhoneMessage } from '../schemas.ts';
import { withAddress } from './files.ts';
import { presentInteractive, presentReply } from './interactive.ts';
import { type Definition, presentTemplate } from './template.ts';

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
