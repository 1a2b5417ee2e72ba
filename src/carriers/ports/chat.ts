import type { InboundEvent } from './inbox.ts';

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
   * was put off before a carrier saw it, and that is no attempt. `isOutage`: because our own database did not answer, which
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
  /** Gives a draft another definition; returns what is wrong with it. */
  draw(sender: Sender, id: string, definition: object): Promise<object[]>;
  /** Deletes a draft. */
  remove(sender: Sender, id: string): Promise<void>;
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

/** Messages of the chat app. */
export interface CarrierChat {
  /** Whether only templates may go to a person who has not written for 24 hours. */
  readonly enforcesWindow: boolean;
  /** How often one person may be written to: one message per `everyMs` in the long run, `burst` at once. */
  readonly pairRate: { everyMs: number; burst: number } | null;
  /** The names of the ids and secrets that a sender needs; empty where none are. */
  readonly senderSettings: { readonly ids: readonly string[]; readonly secrets: readonly string[] };
  readonly templates: CarrierTemplates;
  readonly flows: CarrierFlows;
  readonly media: CarrierMedia;
  /**
   * The address that opens a chat with a number, the text ready to be sent. A path of its own begins with a slash and belongs
   * to this server.
   */
  chatLink(number: string, text: string): string;
  /**
   * Hands over messages of one sender; one outcome per message, in their order. A failure of our own database that it meets is
   * thrown as it is: what became of the messages is then asked by `find`.
   */
  send(sender: Sender, messages: OutboundMessage[]): Promise<Outcome[]>;
  /** Shows a person that what they wrote was read, the message of that id of the carrier's and what came before it. */
  markRead(sender: Sender, carrierMessageId: string): Promise<void>;
  /** What became of messages whose hand-over was interrupted: taken (with its id), not taken, or it cannot say. */
  find(accountId: string, uuids: string[]): Promise<Map<string, string | 'absent' | 'unknown'>>;
  /** Reads a payload that `Inbox.keep` stored. Throws for one that makes no sense. Missing: nothing comes from outside. */
  interpret?(body: Buffer): InboundEvent[];
}
