import { isUserId, phoneDigits } from '../../platform/phone.ts';
import type { OutboundMessage } from '../ports/chat.ts';

type Fields = Record<string, unknown>;

/** The body of `POST /{phone-number-id}/messages` for a message. Throws `Unsendable`. */
export function payloadOf(message: OutboundMessage): Fields {
  const type = message.type.toLowerCase();
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...recipientOf(message.toNumber),
    type,
    [type]: contentOf(message),
    ...contextOf(message),
    biz_opaque_callback_data: message.uuid,
  };
}

/** Without the plus the platform would put the business number's own country code in front. */
const recipientOf = (to: string): Fields => (isUserId(to) ? { recipient: to } : { to: `+${phoneDigits(to)}` });

/**
 * A quote whose message the platform does not know is left out: the words matter more than the bubble. A reaction names its
 * message itself, and the platform refuses one that also quotes.
 */
function contextOf({ type, quotes, carrierIds }: OutboundMessage): Fields {
  const id = quotes === undefined || type === 'REACTION' ? undefined : carrierIds.get(quotes.toLowerCase());
  return id === undefined ? {} : { context: { message_id: id } };
}

function contentOf({ type, content, carrierIds }: OutboundMessage): unknown {
  switch (type) {
    case 'TEXT':
      return content.text;
    case 'IMAGE':
    case 'VIDEO':
    case 'AUDIO':
    case 'DOCUMENT':
    case 'STICKER':
      return assetOf(type.toLowerCase(), content.media as FileRef, carrierIds);
    case 'LOCATION':
    case 'CONTACTS':
      return withoutEmpty(content[type.toLowerCase()]);
    case 'REACTION':
      return reactionOf(content.reaction as { message_uuid: string; emoji: string }, carrierIds);
    case 'INTERACTIVE':
      return interactiveOf(content.interactive as Parameters<typeof interactiveOf>[0], carrierIds);
    case 'TEMPLATE':
      return templateOf(content as unknown as TemplateContent, carrierIds);
    default:
      throw new Unsendable('type_unknown', `The platform has no messages of type ${type}.`);
  }
}

/** An empty emoji takes the reaction back. */
function reactionOf(
  { message_uuid, emoji }: { message_uuid: string; emoji: string },
  known: ReadonlyMap<string, string>,
) {
  const id = known.get(message_uuid.toLowerCase());
  if (id === undefined)
    throw new Unsendable('reaction_target_unknown', 'The message reacted to is not known to the platform.');
  return { message_id: id, emoji };
}

type Known = OutboundMessage['carrierIds'];

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
function interactiveOf(interactive: Interactive, known: Known): Fields {
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

interface Parameter {
  type: string;
  [value: string]: unknown;
}

interface Component {
  type: string;
  sub_type?: string;
  index?: number;
  parameters?: Parameter[];
  cards?: { card_index: number; components: Component[] }[];
}

interface TemplateContent {
  template_name: string;
  language_code: string;
  components: Component[];
}

/** `template` of a message. The platform's language has no fallback: it is the variant that was approved, or an error. */
function templateOf({ template_name, language_code, components }: TemplateContent, known: Known): Fields {
  const filled = componentsOf(components, known);
  return {
    name: template_name,
    language: { code: language_code },
    ...(filled.length > 0 && { components: filled }),
  };
}

/** A component without parameters fills nothing, and is left out. */
const componentsOf = (components: Component[], known: Known): Fields[] =>
  components
    .filter(({ parameters = [], cards = [] }) => parameters.length + cards.length > 0)
    .map((component) => componentOf(component, known));

function componentOf({ type, sub_type, index, parameters = [], cards }: Component, known: Known): Fields {
  if (cards)
    return { type, cards: cards.map((card) => ({ ...card, components: componentsOf(card.components, known) })) };
  return {
    type,
    ...(sub_type !== undefined && { sub_type, index: String(index) }),
    parameters: parameters.map((parameter) => parameterOf(parameter, known)),
  };
}

function parameterOf(parameter: Parameter, known: Known): Fields {
  const { type } = parameter;
  switch (type) {
    case 'image':
    case 'video':
    case 'document':
      return { type, [type]: assetOf(type, parameter[type] as FileRef, known) };
    case 'location':
      return { type, location: withoutEmpty(parameter.location) };
    case 'action':
      return { type, action: flowActionOf(parameter.action as Fields) };
    default:
      return parameter;
  }
}

/** Without a token the platform says `unused`. */
const flowActionOf = ({ flow_token, ...action }: Fields): Fields => ({
  ...(flow_token ? { flow_token } : {}),
  ...action,
});

/** A file as the API names it: by its address, by one of ours, or by the platform's own id. */
interface FileRef {
  url?: string;
  link?: string;
  id?: string;
  media_uuid?: string;
  caption?: string;
  filename?: string;
}

const captioned = ['image', 'video', 'document'];

/** A file as the platform names it, with the words that may stand beside one of its kind. */
function assetOf(kind: string, file: FileRef, known: OutboundMessage['carrierIds']) {
  const { caption, filename } = file;
  return {
    ...whereOf(file, known),
    ...(caption && captioned.includes(kind) && { caption }),
    ...(filename && kind === 'document' && { filename }),
  };
}

function whereOf({ url, link, id, media_uuid }: FileRef, known: OutboundMessage['carrierIds']) {
  if (id !== undefined) return { id };
  if (media_uuid === undefined) return { link: url ?? link };
  const uploaded = known.get(media_uuid.toLowerCase());
  if (uploaded === undefined) throw new Unsendable('media_unknown', 'The file is not known to the platform.');
  return { id: uploaded };
}

/**
 * The value without empty texts, and without lists and objects that have nothing in them. The API takes an empty text for
 * one that was left out; the platform refuses it.
 */
function withoutEmpty<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutEmpty).filter((item) => !isEmpty(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, withoutEmpty(field)] as const);
  return Object.fromEntries(fields.filter(([, field]) => !isEmpty(field))) as T;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === '') return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** A message that names something the platform does not know yet: it cannot be written down for the platform. */
export class Unsendable extends Error {
  override name = 'Unsendable';
  readonly code: string;

  constructor(code: string, description: string) {
    super(description);
    this.code = code;
  }
}
