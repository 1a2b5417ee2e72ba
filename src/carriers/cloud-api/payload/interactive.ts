import type { OutboundMessage } from '../../ports/chat.ts';
import { assetOf, type FileRef } from './asset.ts';
import { Unsendable } from './checks.ts';

type Known = OutboundMessage['carrierIds'];
type Fields = Record<string, unknown>;

interface Reply {
  id: string;
  title: string;
}

interface Header {
  type: 'text' | 'image' | 'video' | 'document';
  text?: string;
  image?: FileRef;
  video?: FileRef;
  document?: FileRef;
}

interface Section {
  title?: string;
  rows: (Reply & { description?: string })[];
}

interface Interactive {
  type: string;
  header?: Header;
  body: { text: string };
  footer?: { text: string };
  action: {
    button?: string;
    buttons?: (Partial<Reply> & { reply?: Reply })[];
    sections?: Section[];
    parameters?: Fields;
  };
}

/** `interactive` of a message: what the API lets callers leave out or write shorter is filled in. */
export function interactiveOf(interactive: Interactive, known: Known): Fields {
  const { type, header, body, footer, action } = interactive;
  return {
    type,
    ...(header && { header: headerOf(header, known) }),
    body,
    ...(footer && { footer }),
    action: actionOf(type, action),
  };
}

function headerOf(header: Header, known: Known): Fields {
  const { type, text } = header;
  return type === 'text' ? { type, text } : { type, [type]: assetOf(type, header[type]!, known) };
}

function actionOf(type: string, { button, buttons = [], sections = [], parameters = {} }: Interactive['action']) {
  switch (type) {
    case 'button':
      return { buttons: buttons.map(buttonOf) };
    case 'list':
      return { button, sections: sections.map(sectionOf) };
    case 'cta_url':
      return { name: 'cta_url', parameters };
    case 'flow':
      return { name: 'flow', parameters: flowOf(parameters) };
    case 'location_request_message':
      return { name: 'send_location' };
    default:
      throw new Unsendable('type_unknown', `The platform has no interactive messages of type ${type}.`);
  }
}

/** In the platform's form, from that or from the short one, `{type, title, id}`. */
const buttonOf = ({ id, title, reply }: Partial<Reply> & { reply?: Reply }) => ({
  type: 'reply',
  reply: reply ? { id: reply.id, title: reply.title } : { id, title },
});

const sectionOf = ({ title, rows }: Section) => ({
  ...(title && { title }),
  rows: rows.map(({ id, title, description }) => ({ id, title, ...(description && { description }) })),
});

/** 3 is the only version there is. Without a token the platform says `unused`. */
function flowOf({ flow_token, ...parameters }: Fields): Fields {
  return { ...parameters, flow_message_version: '3', ...(flow_token ? { flow_token } : {}) };
}
