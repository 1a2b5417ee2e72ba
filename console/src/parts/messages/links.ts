import { type Message, personOf } from './types.ts';
import { compact } from './use-senders.ts';

/** Where a conversation is shown. */
export const conversationPath = (sender: string, person: string): string =>
  `/conversations/${encodeURIComponent(compact(sender))}/${encodeURIComponent(compact(person))}`;

export const conversationHref = (message: Message): string =>
  conversationPath(message.chatapp_number, personOf(message));
