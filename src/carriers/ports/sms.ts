/** A way of an account's SMS to the outside world, with what its carrier must know to use it. */
export interface SmsLink {
  accountId: string;
  uuid: string;
  name: string;
  carrier: string;
  messagesPerSecond: number;
  /** Address, names and secrets by name; empty where a carrier needs none. Never logged. */
  settings: Readonly<Record<string, unknown>>;
}

export interface OutboundSms {
  accountId: string;
  uuid: string;
  /** A number, or a name of up to eleven characters. */
  from: string;
  to: string;
  encoding: 'GSM7' | 'UCS2';
  /** The text in parts, in order. */
  segments: readonly string[];
  /** Parts that an earlier attempt got across, from 1: they are not sent again. */
  partsTaken: ReadonlySet<number>;
  /** Not to be delivered after this. */
  expiresAt: Date | null;
  attempt: number;
}

/** A part that the other side took, and the id under which its receipt will come. */
export interface TakenPart {
  part: number;
  id: string;
}

/** How the hand-over of an SMS ended. The parts that were taken stay taken, however it ended. */
export type SmsOutcome = { parts: TakenPart[] } & (
  | { kind: 'accepted' }
  | { kind: 'rejected'; code: string; description: string }
  /** `isOutage`: our own database did not answer before the carrier saw it, which does not use up the time it is tried for. */
  | { kind: 'retry'; description: string; afterMs?: number; slowsLink?: boolean; isOutage?: boolean }
  | { kind: 'unknown'; description: string }
);

/** What came over a link: a receipt for a part, or (part of) a message that somebody wrote. */
export type SmsEvent =
  | {
      kind: 'receipt';
      /** As `TakenPart.id` was: in the form that all spellings of one id have in common. */
      id: string;
      status: 'SENT' | 'DELIVERED' | 'FAILED';
      code?: string;
      description?: string;
      /** What else tells which message it is about: for one whose answer, and with it the id, was lost. */
      about?: { uuid: string; part: number } | { from: string; to: string };
      at: Date;
    }
  | {
      kind: 'message';
      /** The link's id of it, where there is one: the same twice is one message. */
      id: string | null;
      from: string;
      to: string;
      text: string;
      encoding: string;
      /**
       * Which part of which long message; and its bytes with what SMPP calls them, where the link has those: phones cut through
       * characters.
       */
      part?: { reference: number; total: number; part: number; raw?: { dataCoding: number; body: Buffer } };
      /**
       * For one without an id: what it is known by if it comes again because its acknowledgement was lost, and how long the
       * connection it came by had been up. The same on a connection that is older is another message.
       */
      mark?: { fingerprint: string; connectedMs: number };
      at: Date;
    };

/** What is known of a link at this moment. */
export interface SmsLinkReport {
  state: 'UP' | 'CONNECTING' | 'DOWN';
  since: Date;
  /** In the last minutes. */
  sent: number;
  failed: number;
  latencyMs: { p50: number | null; p99: number | null };
  lastError: string | null;
}

/** SMS of a carrier. */
export interface CarrierSms {
  /**
   * Opens links that this process is to have and closes those it is no longer to have; what comes over them goes to the inbox.
   * Missing: its links need no connection.
   */
  keepOpen?(links: SmsLink[], inbox: SmsInbox): Promise<void>;
  /** Whether messages could leave by this link now. */
  isUp(link: { uuid: string }): boolean;
  /** How many may be given to it now. More would only wait in this process, where a crash leaves them in doubt. */
  room(link: { uuid: string }): number;
  /** One outcome per message, in their order. Throws nothing but failures of our own database: then `find` is asked. */
  send(link: SmsLink, messages: OutboundSms[]): Promise<SmsOutcome[]>;
  /**
   * What became of messages whose hand-over was interrupted: the parts that were taken, none where it was not. One that is
   * missing from the answer may or may not have been taken.
   */
  find(accountId: string, uuids: string[]): Promise<Map<string, TakenPart[]>>;
  report(link: { uuid: string }): SmsLinkReport;
  /** Where links need no connection: those by which this process sent something in the last minutes, whose reports change. */
  usedLately?(): Iterable<{ accountId: string; uuid: string }>;
}

/** Where links bring what comes over them. Returns when it is stored; only then is it acknowledged. */
export interface SmsInbox {
  receive(link: SmsLink, events: SmsEvent[]): Promise<unknown>;
}
