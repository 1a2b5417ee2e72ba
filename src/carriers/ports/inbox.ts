import type { Sender } from './chat.ts';
import type { SmsEvent } from './sms.ts';

/** What a carrier reports about a message we sent. */
export interface Receipt {
  accountId: string;
  messageUuid: string;
  status: 'SENT' | 'DELIVERED' | 'READ' | 'FAILED';
  /** The carrier's own id of the message, where the report names it. */
  carrierMessageId?: string;
  /** The carrier's code and words, for FAILED. */
  code?: string;
  description?: string;
  at: Date;
}

/** Which of an account's senders an event is about, as its carrier names it. */
export type SenderRef =
  | { uuid: string }
  | { numberId: string }
  | { businessAccountId: string }
  /** The number itself, compared by its digits; one that nobody registered is adopted where the carrier adopts. */
  | { number: string };

/** A person at the other end. The number may be hidden, the carrier's id for them may be missing; never both. */
export interface Person {
  /** International, with its plus. */
  number: string | null;
  userId: string | null;
}

export type InboundType =
  | 'TEXT'
  | 'IMAGE'
  | 'VIDEO'
  | 'AUDIO'
  | 'DOCUMENT'
  | 'STICKER'
  | 'LOCATION'
  | 'CONTACTS'
  | 'REACTION'
  | 'INTERACTIVE'
  | 'ORDER'
  | 'SYSTEM'
  | 'UNSUPPORTED';

/** A message that a person wrote. */
export interface InboundMessage {
  kind: 'message';
  sender: SenderRef;
  /** The carrier's id: the same message twice has the same. */
  id: string;
  from: Person;
  /** What the person calls themselves; '' where nothing is known. */
  name: string;
  type: InboundType;
  /**
   * In the API's own shapes: `{text: {body}}`, `{media: {…}}`, `{location}`, `{contacts}`, `{reaction: {emoji}}`,
   * `{interactive: {type: 'button_reply' | 'list_reply' | 'nfm_reply', …}}`, `{order}`, `{system}`, `{unsupported}`.
   */
  content: Record<string, unknown>;
  /** A file of the person's, to be fetched from the carrier by this id. */
  mediaId?: string;
  /** The message it answers or reacts to: the carrier's id of it, or our own uuid where the carrier has that. */
  quotes?: { carrierId: string } | { uuid: string };
  /** What else came with it: `forwarded`, `referral` … */
  context: Record<string, unknown>;
  at: Date;
}

/** Everything that happens on a carrier's side, in words that are the same for all carriers. */
export type InboundEvent =
  | InboundMessage
  | (Omit<Receipt, 'accountId'> & { kind: 'receipt'; sender: SenderRef })
  /** Something about a template changed; only what changed is named. */
  | {
      kind: 'template';
      sender: SenderRef;
      id: string;
      name: string;
      languageCode: string;
      status?: string;
      reason?: string;
      quality?: string;
      category?: string;
    }
  | { kind: 'flow'; sender: SenderRef; id: string; status: string }
  /** A person does, or does not, want marketing, and said so to the platform. */
  | { kind: 'preference'; sender: SenderRef; from: Person; wantsMarketing: boolean; text: string; at: Date }
  /** A person goes by another number or id from now on. */
  | { kind: 'person'; sender: SenderRef; before: Person; after: Person; at: Date }
  /** How good the platform finds the sender. */
  | { kind: 'quality'; sender: SenderRef; quality: string }
  /** Anything else the platform wants the account to know. */
  | { kind: 'notice'; sender: SenderRef; title: string; data: Record<string, unknown> };

/** What came in from outside, byte for byte, before anybody looked into it. */
export interface RawPayload {
  sender: Sender;
  carrier: string;
  body: Buffer;
  /** 32 bytes computed over the body that tell it from every other of this sender. */
  digest: Buffer;
}

/** Where carriers bring what happens on their side. */
export interface Inbox {
  /** Handles events of one account; returns when they are stored, with what the API shows of the messages among them. */
  receive(accountId: string, carrier: string, events: InboundEvent[]): Promise<object[]>;
  /** Receipts of many accounts at once. */
  receipts(receipts: Receipt[]): Promise<void>;
  /**
   * SMS of one account from a carrier that needs no connection; its link is found, or adopted where the carrier adopts. What
   * people write is not taken where the account's SMS leave by another carrier.
   */
  receiveSms(accountId: string, carrier: string, events: SmsEvent[]): Promise<object[]>;
  /**
   * A call to one of an account's numbers, before its leg is there; answers what the API shows of it. undefined: calls to this
   * number come by another carrier.
   */
  receiveCall(accountId: string, carrier: string, call: { from: string; to: string }): Promise<object | undefined>;
  /** Stores payloads as they came, to be read by `interpret` soon afterwards; one that came before is not stored again. */
  keep(payload: RawPayload): Promise<void>;
  /** The sender of that uuid, whoever it belongs to: for callbacks that name nothing else and are then authenticated. */
  findSender(uuid: string, carrier: string): Promise<Sender | undefined>;
}
