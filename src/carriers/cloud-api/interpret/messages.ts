import type { InboundEvent, InboundType, SenderRef } from '../../ports/inbox.ts';
import {
  type Fields,
  fieldsOf,
  idOf,
  kept,
  keptFields,
  listOf,
  momentOf,
  parseExactly,
  personOf,
  pick,
  textOf,
} from './read.ts';

/** What people call themselves, by the number and by the id under which they are introduced. */
export type Names = ReadonlyMap<string, string>;

const longestName = 255;

export function namesIn(contacts: unknown): Names {
  const names = new Map<string, string>();
  for (const contact of listOf(contacts)) {
    const { profile, wa_id, user_id } = fieldsOf(contact) ?? {};
    const name = textOf(fieldsOf(profile)?.name)?.slice(0, longestName).toWellFormed();
    const person = personOf(wa_id, user_id);
    if (!name || !person) continue;
    if (person.number !== null) names.set(person.number, name);
    if (person.userId !== null) names.set(person.userId, name);
  }
  return names;
}

/** One element of `messages`; undefined when it does not say which message it is, of whom, and when. */
export function readMessage(item: unknown, sender: SenderRef, names: Names): InboundEvent | undefined {
  const message = fieldsOf(item);
  const system = fieldsOf(message?.system);
  if (!message) return undefined;
  if (message.type === 'system' && system && changes.has(system.type)) return readChange(message, system, sender);
  const [id, at, from] = [idOf(message.id), momentOf(message.timestamp), personOf(message.from, message.from_user_id)];
  if (id === undefined || !at || !from) return undefined;
  const quoted = quotedBy(message);
  return {
    kind: 'message',
    sender,
    id,
    from,
    name: names.get(from.number ?? '') ?? names.get(from.userId ?? '') ?? '',
    ...contentOf(message),
    ...(quoted !== undefined && { quotes: { carrierId: quoted } }),
    context: contextOf(message),
    at,
  };
}

/** The message that is answered, or reacted to. */
const quotedBy = ({ context, reaction, type }: Fields): string | undefined =>
  type === 'reaction' ? idOf(fieldsOf(reaction)?.message_id) : idOf(fieldsOf(context)?.id);

function contextOf(message: Fields): Record<string, unknown> {
  const context = fieldsOf(message.context) ?? {};
  return {
    ...pick(context, 'boolean', ['forwarded', 'frequently_forwarded']),
    ...pick(context, 'object', ['referred_product']),
    ...pick(message, 'object', ['referral']),
    ...pick(message, 'string', ['group_id']),
  };
}

const changes: ReadonlySet<unknown> = new Set([
  'user_changed_number',
  'customer_changed_number',
  'user_changed_user_id',
]);

/** Somebody has another number or id. It is told as a message that nobody wrote; the old number is its sender. */
function readChange(message: Fields, system: Fields, sender: SenderRef): InboundEvent | undefined {
  const before = personOf(message.from ?? system.customer, system.previous_user_id);
  const after = personOf(system.wa_id ?? system.new_wa_id, system.user_id);
  const at = momentOf(message.timestamp);
  return before && after && at && { kind: 'person', sender, before, after, at };
}

export interface Content {
  type: InboundType;
  content: Record<string, unknown>;
  mediaId?: string;
}

type Reader = (message: Fields) => Content | undefined;

/** A file, to be fetched later by its id. The link that may stand beside it lives five minutes: of no use by then. */
const file =
  (type: InboundType): Reader =>
  (message) => {
    const media = fieldsOf(message[type.toLowerCase()]);
    const mediaId = idOf(media?.id);
    if (!media || mediaId === undefined) return undefined;
    const described = {
      ...pick(media, 'string', ['mime_type', 'sha256', 'caption', 'filename']),
      ...pick(media, 'boolean', ['voice', 'animated']),
    };
    return { type, content: { media: described }, mediaId };
  };

/** What the API shows as the platform says it. */
const asItCame =
  (type: InboundType, field: string): Reader =>
  (message) => {
    const fields = fieldsOf(message[field]);
    return fields && { type, content: { [field]: keptFields(fields) } };
  };

const readers: ReadonlyMap<unknown, Reader> = new Map([
  ['text', readText],
  ['image', file('IMAGE')],
  ['video', file('VIDEO')],
  ['audio', file('AUDIO')],
  ['document', file('DOCUMENT')],
  ['sticker', file('STICKER')],
  ['location', asItCame('LOCATION', 'location')],
  ['contacts', readContacts],
  ['reaction', readReaction],
  ['interactive', readInteractive],
  ['button', readButton],
  ['order', asItCame('ORDER', 'order')],
  ['system', asItCame('SYSTEM', 'system')],
]);

/** What a message says, in the API's shapes. Of a kind that is new to us, or is not as it should be, everything is kept. */
const contentOf = (message: Fields): Content =>
  readers.get(message.type)?.(message) ?? { type: 'UNSUPPORTED', content: { unsupported: unsupportedIn(message) } };

const around = new Set([
  'from',
  'from_user_id',
  'from_parent_user_id',
  'id',
  'timestamp',
  'context',
  'referral',
  'group_id',
]);

/** The platform itself tells the kind of what it cannot pass on, and why. */
function unsupportedIn(message: Fields): Record<string, unknown> {
  const { unsupported, ...rest } = message;
  const came = Object.fromEntries(Object.entries(rest).filter(([name]) => !around.has(name)));
  return keptFields({ ...came, ...fieldsOf(unsupported) });
}

function readText(message: Fields): Content | undefined {
  const body = textOf(fieldsOf(message.text)?.body);
  return body === undefined ? undefined : { type: 'TEXT', content: { text: { body } } };
}

function readContacts({ contacts }: Fields): Content | undefined {
  const cards = listOf(contacts);
  return cards.length === 0 ? undefined : { type: 'CONTACTS', content: { contacts: kept(cards) } };
}

/** Taken back: the emoji is left out, or empty. */
function readReaction(message: Fields): Content | undefined {
  const reaction = fieldsOf(message.reaction);
  if (!reaction || idOf(reaction.message_id) === undefined) return undefined;
  return { type: 'REACTION', content: { reaction: { emoji: textOf(reaction.emoji) ?? '' } } };
}

const interactive = (type: string, reply: Record<string, unknown>): Content => ({
  type: 'INTERACTIVE',
  content: { interactive: { type, [type]: reply } },
});

function readInteractive(message: Fields): Content | undefined {
  const { type, ...replies } = fieldsOf(message.interactive) ?? {};
  if (type !== 'button_reply' && type !== 'list_reply' && type !== 'nfm_reply') return undefined;
  const reply = fieldsOf(replies[type]);
  if (!reply) return undefined;
  if (type === 'nfm_reply') return interactive(type, answersIn(reply));
  const chosen = pick(reply, 'string', ['id', 'title', 'description']);
  return chosen.id === undefined ? undefined : interactive(type, { title: '', ...chosen });
}

/** A template's quick reply, which is a button like any other to whoever reads it. */
function readButton(message: Fields): Content | undefined {
  const { payload, text } = fieldsOf(message.button) ?? {};
  const title = textOf(text);
  const id = textOf(payload) ?? title;
  return id === undefined ? undefined : interactive('button_reply', { id, title: title ?? id });
}

/** A completed flow: the answers are JSON within a text, the token that the flow was sent with among them. */
function answersIn(reply: Fields): Record<string, unknown> {
  const said = { name: textOf(reply.name) ?? '', body: textOf(reply.body) ?? '' };
  const json = textOf(reply.response_json) ?? '';
  const answers = parsedFields(json);
  if (!answers) return { ...said, flow_token: '', answers: {}, response_json: json };
  const { flow_token: token, ...rest } = keptFields(answers);
  return { ...said, flow_token: typeof token === 'string' ? token : '', answers: rest };
}

function parsedFields(json: string): Fields | undefined {
  try {
    return fieldsOf(parseExactly(json));
  } catch {
    return undefined;
  }
}
