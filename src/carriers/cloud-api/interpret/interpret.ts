import type { InboundEvent, SenderRef } from '../../ports/inbox.ts';
import { namesIn, readMessage } from './messages.ts';
import { type Fields, fieldsOf, idOf, kept, keptFields, parseExactly, problemWithMoment } from './read.ts';
import { readPreference, readStatus, readUpdate } from './updates.ts';

/**
 * What a webhook tells: up to 1,000 updates, of several numbers and accounts, in the order they stand in. An update that
 * cannot be read becomes a notice and spoils no other. Throws for what is no webhook at all.
 */
export function interpret(body: Buffer): InboundEvent[] {
  const entries = fieldsOf(parseExactly(body.toString('utf8')))?.entry;
  if (!Array.isArray(entries)) throw new Error('The payload has no list "entry".');
  return entries.flatMap(readEntry);
}

function readEntry(item: unknown): InboundEvent[] {
  const entry = fieldsOf(item) ?? {};
  // An account that is not named is nobody's.
  const account: SenderRef = { businessAccountId: idOf(entry.id) ?? '' };
  if (!Array.isArray(entry.changes)) return [unreadable(account, '', item)];
  return entry.changes.flatMap((change: unknown) => readChange(change, account));
}

/** One field that changed. A number's own updates name it; the account's do not. */
function readChange(item: unknown, account: SenderRef): InboundEvent[] {
  const change = fieldsOf(item) ?? {};
  const [field, value] = [idOf(change.field), fieldsOf(change.value)];
  if (field === undefined || !value) return [unreadable(account, field ?? '', item)];
  const numberId = idOf(fieldsOf(value.metadata)?.phone_number_id);
  const sender: SenderRef = numberId === undefined ? account : { numberId };
  if (field === 'messages') return readMessages(value, sender);
  if (field === 'user_preferences') return readEach(value[field], sender, field, readPreference);
  return [readUpdate(field, value, sender)];
}

function readMessages(value: Fields, sender: SenderRef): InboundEvent[] {
  const { messages, statuses, errors } = value;
  const names = namesIn(value.contacts);
  if (messages !== undefined || statuses !== undefined) {
    return [
      ...readEach(messages ?? [], sender, 'messages', (item) => readMessage(item, sender, names)),
      ...readEach(statuses ?? [], sender, 'statuses', readStatus),
    ];
  }
  // Errors alone concern the app or the account as a whole.
  if (!Array.isArray(errors)) return [unreadable(sender, 'messages', value)];
  return [{ kind: 'notice', sender, title: 'errors', data: keptFields({ errors }) }];
}

type Read = (item: unknown, sender: SenderRef) => InboundEvent | 'not ours' | undefined;

function readEach(items: unknown, sender: SenderRef, field: string, read: Read): InboundEvent[] {
  if (!Array.isArray(items)) return [unreadable(sender, field, items)];
  return items.flatMap((item) => {
    const event = read(item, sender) ?? unreadable(sender, field, item);
    return event === 'not ours' ? [] : [event];
  });
}

function unreadable(sender: SenderRef, field: string, update: unknown): InboundEvent {
  const reason = problemWithMoment(fieldsOf(update)?.timestamp);
  const data = { field, update: kept(update) ?? null, ...(reason && { reason }) };
  return { kind: 'notice', sender, title: 'unreadable_update', data };
}
