import type { Given } from '../../src/carriers/smpp/codec/index.ts';
import type { MessageState } from '../../src/carriers/smpp/messages/receipt.ts';
import type { BindMode } from '../../src/carriers/smpp/session/connect.ts';
import type { Session, Timing } from '../../src/carriers/smpp/session/session.ts';
import type { Faults } from './faults.ts';
import type { Outbox } from './outbox.ts';
import type { Settings } from './settings.ts';

/** A client's connection; who it is becomes known with its bind. */
export interface Connection {
  session: Session;
  systemId: string | null;
  mode: BindMode | null;
}

/** A submit as it came, and what became of it. */
export interface Received {
  at: Date;
  systemId: string;
  /** Everything but the header. */
  pdu: Given<'submit_sm'>;
  /** What was answered; null: nothing. */
  status: number | null;
  /** null where it was not taken. */
  message: Message | null;
}

export interface Message {
  number: number;
  /** As it was answered. */
  id: string;
  state: MessageState;
  err: string;
  submittedAt: Date;
  doneAt: Date | null;
}

/** All there is. */
export interface World {
  settings: Settings;
  faults: Faults;
  timing: Timing;
  connections: Set<Connection>;
  received: Received[];
  messages: Map<string, Message>;
  outbox: Outbox;
  /** Answers that wait to leave in another order. */
  held: (() => void)[];
  nextNumber: number;
  /** Submits of the present second. */
  second: { number: number; count: number };
  /** Runs later; forgotten when the centre closes. */
  later(ms: number, run: () => void): void;
}
