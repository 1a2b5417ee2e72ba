import { isSame, keyOf, type Message } from './types.ts';

/** A conversation on a phone. */
export interface Thread {
  key: string;
  /** The other side: a number, or the name that an SMS came from. */
  number: string;
  kind: 'chat' | 'sms';
  /** The oldest first; without reactions, which stand on the messages they belong to. */
  messages: Message[];
  last: Message;
  unread: number;
}

const kindOf = ({ type }: Message): Thread['kind'] => (type === 'SMS' ? 'sms' : 'chat');

export const threadKey = (kind: Thread['kind'], number: string): string => `${kind} ${keyOf(number)}`;

/** The conversations of a phone, the latest first. `seen` says until when each was read. */
export function threadsOf(messages: Message[], seen: Record<string, string>): Thread[] {
  const shown = messages.filter(({ type }) => type !== 'REACTION');
  const groups = Map.groupBy(shown, (message) => threadKey(kindOf(message), message.chatapp_number));
  return [...groups]
    .map(([key, group]): Thread => {
      const last = group.at(-1)!;
      const unread = group.filter((message) => isNews(message) && message.created > (seen[key] ?? '')).length;
      return { key, number: last.chatapp_number, kind: kindOf(last), messages: group, last, unread };
    })
    .toSorted((one, other) => other.last.created.localeCompare(one.last.created));
}

/** Came to this phone, and arrived. */
const isNews = ({ direction, status }: Message): boolean =>
  direction === 'OUTBOUND' && (status === 'DELIVERED' || status === 'READ');

export const findThread = (threads: Thread[], kind: Thread['kind'], number: string): Thread | undefined =>
  threads.find((thread) => thread.kind === kind && isSame(thread.number, number));

const kinds: Record<string, string> = {
  IMAGE: 'Photo',
  VIDEO: 'Video',
  AUDIO: 'Voice message',
  DOCUMENT: 'Document',
  STICKER: 'Sticker',
  LOCATION: 'Location',
  CONTACTS: 'Contact',
};

/** A message in a line, for the list of chats and for quotes. */
export function summaryOf({
  type,
  text,
  media,
}: Pick<Message, 'text'> & { type: string | null; media?: Message['media'] }) {
  const kind = kinds[type ?? ''];
  const words = text || String(media?.['filename'] ?? '');
  const plain = words.replaceAll(/\s+/g, ' ').replaceAll(/([*_~])(\S(?:.*?\S)?)\1/g, '$2');
  if (!kind) return plain || 'Message';
  return plain ? `${kind}: ${plain}` : kind;
}
