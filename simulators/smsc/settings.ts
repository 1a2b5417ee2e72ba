import type { MessageState } from '../../src/carriers/smpp/messages/receipt.ts';
import type { BindMode } from '../../src/carriers/smpp/session/connect.ts';

export interface SmscAccount {
  systemId: string;
  password: string;
  /** The binds it may make; all, when none are named. */
  modes?: BindMode[];
}

export type IdFormat = 'decimal' | 'hex' | 'HEX' | 'padded-hex';

/** What becomes of messages to some numbers. */
export interface Outcome {
  /** The submit is refused with this command_status. */
  status?: number;
  /** The state its receipt tells; null: no receipt comes. */
  state?: MessageState | null;
  /** The code in its receipt. */
  err?: string;
}

/** How the centre behaves when nothing else was said. All can be changed while it runs. */
export interface Settings {
  accounts: SmscAccount[];
  idFormat: IdFormat;
  /** How receipts write the id; null: as it was answered. */
  receiptIdFormat: IdFormat | null;
  receiptForm: 'text' | 'tlv' | 'both';
  /** Repeats the data_coding of the message, as some centres do, over a text that is plain ASCII. */
  receiptEchoesCoding: boolean;
  receiptAfterMs: number;
  /** Of every receipt. */
  receiptCopies: number;
  /** Receipts come before the answer that names the id. */
  receiptFirst: boolean;
  answerAfterMs: number;
  /** Submits in a second; beyond it ESME_RTHROTTLED. null: no limit. */
  perSecond: number | null;
  /** By the last digits of the destination; the longest that fits decides. */
  outcomes: Record<string, Outcome>;
  /** Deliveries without an answer at a time, on each connection. */
  window: number;
  /** Tries of a delivery that was not taken, and the time between them. */
  deliveryTries: number;
  deliveryRetryMs: number;
  responseTimeoutMs: number;
  enquireLinkMs: number;
  /** Messages and deliveries kept for inspection. */
  keep: number;
}

export const defaultSettings = (): Settings => ({
  accounts: [{ systemId: 'parley', password: 'parley' }],
  idFormat: 'decimal',
  receiptIdFormat: null,
  receiptForm: 'both',
  receiptEchoesCoding: false,
  receiptAfterMs: 500,
  receiptCopies: 1,
  receiptFirst: false,
  answerAfterMs: 0,
  perSecond: null,
  outcomes: {
    '9101': { state: 'UNDELIVERABLE', err: '001' },
    '9102': { state: 'EXPIRED', err: '254' },
    '9103': { state: 'REJECTED', err: '021' },
    '9104': { state: 'DELETED' },
    '9105': { state: 'UNKNOWN' },
    '9106': { state: 'ENROUTE' },
    '9107': { state: null },
    '9110': { status: 0x0b },
    '9111': { status: 0x14 },
    '9112': { status: 0x45 },
    '9113': { status: 0x58 },
    '9114': { status: 0x08 },
    '9115': { status: 0x0401 },
  },
  window: 10,
  deliveryTries: 10,
  deliveryRetryMs: 1_000,
  responseTimeoutMs: 30_000,
  enquireLinkMs: 30_000,
  keep: 100_000,
});

/** What becomes of a message to this number. */
export function outcomeFor({ outcomes }: Settings, destination: string): Outcome {
  const fits = Object.keys(outcomes).filter((digits) => destination.endsWith(digits));
  const longest = fits.reduce((best, other) => (other.length > best.length ? other : best), '');
  return outcomes[longest] ?? {};
}
