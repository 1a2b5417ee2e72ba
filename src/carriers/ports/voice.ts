import type { Clock } from '../../platform/time/clock.ts';

/**
 * What the product needs of whoever carries calls. A call is made of legs, one for each person; the recipe of a call
 * (`domains/voice`) is written over legs, and does not know what carries them. Legs live in the process that has them: one that
 * dies takes its calls with it, and their records are closed from what is known.
 */

/** Something to be heard: 8 kHz µ-law without a header (G.711), made once and kept as a file. */
export interface Sound {
  path: string;
  seconds: number;
}

/** How a leg ended. */
export interface LegEnd {
  /** `peer`: the person at the other end hung up; `us`: we did; `network`: it broke. */
  by: 'peer' | 'us' | 'network';
  /** SIP's, also where another protocol carries the call: 200 an ordinary end, 486 busy, 480, 603 … */
  code: number;
  description: string;
}

export interface GatherOptions {
  /** Digits after which it ends by itself. */
  most: number;
  /** Ends it, and is not one of the digits. */
  finishKey: string;
  /** Until the first digit, and between two. */
  patienceMs: number;
}

export interface RecordOptions {
  /** Where the WAV goes: 8 kHz µ-law, one channel per leg in their order. The directory exists. */
  path: string;
  mostMs?: number;
  /** A key of the first leg that ends it. */
  finishKey?: string;
}

export interface Recording {
  /** Ends it, and is done when the file is whole. Ended before: the same answer. */
  stop(): Promise<{ seconds: number }>;
  /** When it ended by itself: time, key, or the first leg is over. */
  readonly ended: Promise<{ seconds: number }>;
}

/** One person's side of a call. Whatever is asked of a leg that is over does nothing; nothing here rejects because of that. */
export interface Leg {
  /** The carrier's own id (SIP: Call-ID). */
  readonly id: string;
  /** Settles once, when the leg is over, and never rejects. */
  readonly ended: Promise<LegEnd>;
  /** Plays to this person; done when it was heard, was stopped, or the leg is over. Only on an answered leg. */
  play(sound: Sound, options?: { signal?: AbortSignal }): Promise<void>;
  /** The ringing tone, until the returned function is called: before the answer by signalling, after it as sound. */
  playRinging(): () => void;
  /** Collects digits; '' when none came. A sound that plays is stopped by the first one. */
  gather(options: GatherOptions, prompt?: Sound): Promise<string>;
  hangUp(): Promise<void>;
}

/** A leg that came in. */
export interface InboundLeg extends Leg {
  /** Told as soon as it is known whose call it is. */
  belongTo?(accountId: string): void;
  answer(): Promise<void>;
  /** Refuses it before the answer, with SIP's code. */
  reject(code: number): Promise<void>;
}

export type DialOutcome =
  | { kind: 'answered' }
  | { kind: 'busy' | 'refused' | 'unanswered' | 'unreachable' | 'cancelled'; code: number; description: string };

/** A leg that we ring. */
export interface OutboundLeg extends Leg {
  /** Settles when somebody answers, or nobody will; never rejects. `hangUp` before that cancels. */
  readonly outcome: Promise<DialOutcome>;
}

export interface DialRequest {
  accountId: string;
  /** What the person called sees. */
  from: string;
  /** A number, or a SIP address (`sip:…`). */
  to: string;
  timeoutMs: number;
  /** Of which of our numbers this call is, where `from` is somebody else's (KEEP_NUMBER). */
  onBehalfOf?: string;
}

/** A call that reached us. */
export interface IncomingCall {
  carrier: string;
  /** Of a call that was told to the inbox before its leg was there. */
  uuid?: string;
  /** Known where the link belongs to one account; else the number tells. */
  accountId: string | null;
  /** Where accounts share a link: those it may be for. A number of anybody else does not tell. */
  among?: readonly string[];
  /** As the carrier wrote it; '' where the caller withheld it. */
  from: string;
  to: string;
  leg: InboundLeg;
  /** When, by the carrier's clock. */
  at: Date;
}

/** A link to the outside world as network status shows it. */
export interface VoiceLinkStatus {
  name: string;
  state: 'UP' | 'DOWN' | 'STARTING';
  since: Date;
  calls: number;
  lastError: string;
  latencyMs: number | null;
}

/** Calls of a carrier. */
export interface CarrierVoice {
  /** The time that an account's calls live in; the sandbox's can be stepped, and waits for calls that catch up. */
  clock(accountId: string): Clock;
  /** Done after that much of the account's time. */
  wait(accountId: string, ms: number, signal?: AbortSignal): Promise<void>;
  dial(request: DialRequest): OutboundLeg;
  /** Lets two answered legs hear each other; done when either is over. */
  bridge(one: Leg, other: Leg): Promise<void>;
  record(legs: Leg[], options: RecordOptions): Recording;
  /** Whether this account's calls can leave by it now. */
  canDial(accountId: string): Promise<boolean>;
  status(accountId: string): Promise<VoiceLinkStatus[]>;
  /** The state of each connection that this process looks after; left out: it needs none. */
  linkStates?(): VoiceLinkStatus['state'][];
  /** Brings calls in, until it is stopped. */
  listen(onCall: OnCall): { stop(): Promise<void> };
  /** Lets calls under way go on for a moment, then hangs up. */
  close(): Promise<void>;
}

/** Brings calls in; called once per call, and does not reject. */
export type OnCall = (call: IncomingCall) => Promise<void>;
