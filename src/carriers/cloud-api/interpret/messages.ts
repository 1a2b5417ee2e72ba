import type { InboundEvent, SenderRef } from '../../ports/inbox.ts';
import { contentOf } from './message-content.ts';
import { type Fields, fieldsOf, idOf, listOf, momentOf, personOf, pick, textOf } from './read.ts';

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
