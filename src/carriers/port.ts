import type { Clock } from '../platform/clock.ts';

/** What a message looks like to a carrier: everything it needs to hand it over, nothing of how we store it. */
export interface OutboundMessage {
  accountId: string;
  /** Our id. Carriers that can carry it return it in receipts, so a send whose answer was lost is still recognised. */
  uuid: string;
  senderNumber: string;
  toNumber: string;
  type: string;
  /** As echoed by the API, per type (`{template_name, language_code, components}` …). */
  content: Record<string, unknown>;
  /** 1 for the first try. */
  attempt: number;
}

/** How a hand-over ended. A carrier answers with one of these; it does not throw for a message it could not take. */
export type Outcome =
  | { kind: 'accepted'; carrierMessageId: string }
  | { kind: 'rejected'; code: string; description: string }
  | { kind: 'retry'; description: string; afterMs?: number }
  /** The answer never came: it may or may not have been taken. Never resent blindly. */
  | { kind: 'unknown'; description: string };

export interface Receipt {
  accountId: string;
  messageUuid: string;
  status: 'SENT' | 'DELIVERED' | 'READ' | 'FAILED';
  /** The carrier's code and words, for FAILED. */
  code?: string;
  description?: string;
  at: Date;
}

/** Where carriers bring what happens on their side. Returns when it is stored. */
export interface Inbox {
  receipts(receipts: Receipt[]): Promise<void>;
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
  /** The time this carrier's messages of an account live in: the system's, unless it can be moved. */
  clock(accountId: string): Clock;
  /** Hands over messages of one sender; one outcome per message, in their order. */
  send(messages: OutboundMessage[]): Promise<Outcome[]>;
  /** What became of messages whose hand-over was interrupted: taken (with its id), not taken, or it cannot say. */
  find(accountId: string, uuids: string[]): Promise<Map<string, string | 'absent' | 'unknown'>>;
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
