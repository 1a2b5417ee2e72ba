import type { Clock } from '../platform/clock.ts';
import type { CarrierSms, SmsEvent } from './port.sms.ts';

/** A number of an account that messages leave from and arrive at, with what its carrier must know to act for it. */
export interface Sender {
  accountId: string;
  /** The chat-app account. */
  uuid: string;
  number: string;
  /** Ids and secrets of the number on the carrier's side, by name; empty where a carrier needs none. Never logged. */
  settings: Readonly<Record<string, string>>;
}

/** What a message looks like to a carrier: everything it needs to hand it over, nothing of how we store it. */
export interface OutboundMessage {
  accountId: string;
  /** Our id. Carriers that can carry it return it in receipts, so a send whose answer was lost is still recognised. */
  uuid: string;
  senderNumber: string;
  /** A phone number, or the id under which the carrier knows a person who hides theirs. */
  toNumber: string;
  type: string;
  /** As echoed by the API, per type (`{template_name, language_code, components}` …). */
  content: Record<string, unknown>;
  /** The message it quotes: our uuid. */
  quotes?: string | undefined;
  /** What the carrier calls the messages and files that the content names by our uuids. */
  carrierIds: ReadonlyMap<string, string>;
  /** 1 for the first try. */
  attempt: number;
}

/** How a hand-over ended. A carrier answers with one of these; it does not throw for a message it could not take. */
export type Outcome =
  | { kind: 'accepted'; carrierMessageId: string }
  | { kind: 'rejected'; code: string; description: string }
  /**
   * Not now. `slowsSender`: it is not about this message; nothing of this sender leaves before `afterMs` are over. `isOurs`: it
   * was held back before a carrier saw it, and that is no attempt. `isOutage`: because our own database did not answer, which
   * does not use up the time that it is tried for.
   */
  | {
      kind: 'retry';
      description: string;
      afterMs?: number;
      slowsSender?: boolean;
      isOurs?: boolean;
      isOutage?: boolean;
    }
  /** The answer never came: it may or may not have been taken. Never resent blindly. */
  | { kind: 'unknown'; description: string };

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

/** A carrier said no to something other than a message. */
export class CarrierRefusal extends Error {
  override name = 'CarrierRefusal';
  readonly code: string;
  /** Whether trying again later may help. */
  readonly temporary: boolean;

  constructor(code: string, description: string, { temporary = false } = {}) {
    super(description);
    this.code = code;
    this.temporary = temporary;
  }
}

/** A template as both sides know it. Components are the platform's definitions (`HEADER`, `BODY`, `FOOTER`, `BUTTONS` …). */
export interface TemplateDefinition {
  name: string;
  languageCode: string;
  category: string;
  parameterFormat: 'POSITIONAL' | 'NAMED';
  components: object[];
}
export interface CarrierTemplate extends TemplateDefinition {
  id: string;
  status: string;
  quality: string;
  rejectedReason: string;
}

/** Message templates on the carrier's side. Methods throw `CarrierRefusal`. */
export interface CarrierTemplates {
  /** All it has; null when it keeps none of its own, so that there is nothing to compare with. */
  list(sender: Sender): Promise<CarrierTemplate[] | null>;
  /** One that is there already under this name and language is taken for ours: the answer to its creation was lost. */
  create(sender: Sender, template: TemplateDefinition): Promise<{ id: string; status: string; category: string }>;
  update(sender: Sender, id: string, change: { category?: string; components?: object[] }): Promise<{ status: string }>;
  /** Gone already is as good as deleted. */
  delete(sender: Sender, template: { id: string; name: string }): Promise<void>;
}

export interface CarrierFlow {
  id: string;
  name: string;
  status: string;
  categories: string[];
  validationErrors: object[];
}

/** Flows (forms inside a chat) on the carrier's side. Methods throw `CarrierRefusal`. */
export interface CarrierFlows {
  /** As for templates. */
  list(sender: Sender): Promise<CarrierFlow[] | null>;
  create(sender: Sender, flow: { name: string; categories: string[]; definition: object | null }): Promise<CarrierFlow>;
  update(sender: Sender, id: string, change: { name?: string; categories?: string[] }): Promise<void>;
  publish(sender: Sender, id: string): Promise<void>;
  deprecate(sender: Sender, id: string): Promise<void>;
  preview(sender: Sender, id: string): Promise<{ previewUrl: string; expiresAt: Date }>;
}

export interface OutboundFile {
  name: string;
  mimeType: string;
  size: number;
  path: string;
}

/** Files on the carrier's side. Methods throw `CarrierRefusal`. */
export interface CarrierMedia {
  /** Makes a file known to the carrier, so that messages can name it by the id that comes back. */
  upload(sender: Sender, file: OutboundFile): Promise<{ id: string; expiresAt: Date }>;
  /** The same for the sample of a template's header, which the platform keeps apart. */
  uploadSample(sender: Sender, file: OutboundFile): Promise<string>;
  /** A file that a person sent. */
  download(sender: Sender, id: string): Promise<{ mimeType: string; bytes: AsyncIterable<Uint8Array> }>;
}

/** A range of numbers a carrier offers for sale: `count` numbers from `first`, both in international digits. */
export interface NumberRange {
  country: string;
  /** National prefix (area or mobile code) the numbers begin with, as a caller would ask for it. */
  prefix: string;
  first: string;
  count: number;
  capabilities: readonly ('VOICE' | 'SMS' | 'MMS')[];
}

/** A way to the outside world. Adapters know this file and `platform`, and nothing of the domains. */
export interface Carrier {
  readonly name: string;
  /** Whether a sender or template nobody registered may be taken into use at its first message. */
  readonly adoptsUnknown: boolean;
  /** Whether only templates may go to a person who has not written for 24 hours. */
  readonly enforcesWindow: boolean;
  /** How often one person may be written to: one message per `everyMs` in the long run, `burst` at once. */
  readonly pairRate: { everyMs: number; burst: number } | null;
  /** The names of the ids and secrets that a sender needs; empty where none are. */
  readonly senderSettings: { readonly ids: readonly string[]; readonly secrets: readonly string[] };
  readonly templates: CarrierTemplates;
  readonly flows: CarrierFlows;
  readonly media: CarrierMedia;
  /** null: it carries no SMS. */
  readonly sms: CarrierSms | null;
  /**
   * The address that opens a chat with a number, the text ready to be sent. A path of its own begins with a slash and belongs
   * to this server.
   */
  chatLink(number: string, text: string): string;
  /** The time this carrier's messages of an account live in: the system's, unless it can be moved. */
  clock(accountId: string): Clock;
  /**
   * Hands over messages of one sender; one outcome per message, in their order. A failure of our own database that it meets is
   * thrown as it is: what became of the messages is then asked by `find`.
   */
  send(sender: Sender, messages: OutboundMessage[]): Promise<Outcome[]>;
  /** What became of messages whose hand-over was interrupted: taken (with its id), not taken, or it cannot say. */
  find(accountId: string, uuids: string[]): Promise<Map<string, string | 'absent' | 'unknown'>>;
  /** Reads a payload that was kept. Throws for one that makes no sense. */
  interpret(body: Buffer): InboundEvent[];
  numberRanges(): readonly NumberRange[];
  /** Starts whatever brings events in; they go to `inbox`. */
  start(inbox: Inbox): Promise<void>;
  stop(): Promise<void>;
  /** null when it works, else a sentence for `/readyz`. */
  problem(): Promise<string | null>;
}

export interface Carriers {
  /** The carrier of that name; it is an error to ask for one that is not configured. */
  get(name: string): Carrier;
  all(): readonly Carrier[];
}

export function makeCarriers(carriers: readonly Carrier[]): Carriers {
  return {
    get(name) {
      const carrier = carriers.find((candidate) => candidate.name === name);
      if (!carrier) throw new Error(`No carrier named ${name} is configured.`);
      return carrier;
    },
    all: () => carriers,
  };
}
