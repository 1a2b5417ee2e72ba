import type { Body, Schema } from '../../api/index.ts';

/** A message as a phone shows it. INBOUND was written on the phone, OUTBOUND came to it. */
export type Message = Schema<'SandboxPhoneMessage'>;
export type Leg = Schema<'SandboxLeg'>;
export type Button = Message['buttons'][number];

/** What a person does in a chat, without who and where. */
export type Deed = Omit<Body<'/v2/sandbox/chatapp/messages/', 'post'>, 'from' | 'to' | 'name'>;

/** Who has a phone in their hand. */
export interface Person {
  number: string;
  name: string;
}

/** What a phone has on its screen. */
export type Screen =
  | { app: 'chats' }
  | { app: 'chat'; number: string }
  | { app: 'new-chat' }
  | { app: 'sms' }
  | { app: 'sms-thread'; number: string }
  | { app: 'new-sms' }
  | { app: 'phone' };

/** Numbers are the same however they are written; names of senders stay as they are. */
export const keyOf = (number: string): string => {
  const digits = number.replaceAll(/\D/g, '');
  return /^[+\d\s().-]+$/.test(number) && digits ? digits : number.toLowerCase();
};

export const isSame = (one: string, other: string): boolean => keyOf(one) === keyOf(other);

const blank: Omit<Message, 'uuid' | 'direction' | 'chatapp_number' | 'text' | 'created'> = {
  type: 'TEXT',
  status: 'DELIVERED',
  status_description: '',
  context: null,
  reactions: [],
  header: null,
  footer: '',
  buttons: [],
  list: null,
  media: null,
  location: null,
  contacts: [],
  reaction: null,
  flow: null,
  offer_ends: null,
  cards: [],
};

/** A message that the server does not have (yet). */
export const messageOf = (
  given: Pick<Message, 'uuid' | 'direction' | 'chatapp_number' | 'text' | 'created'> & Partial<Message>,
): Message => ({ ...blank, ...given });

let keys = 0;
/** A name for what has none yet, used once in this browser. */
export const newKey = (): string => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}-${keys++}`;
