/**
 * What the main thread and a media worker say to each other. Every command has a number, and one answer: that of a long one
 * (play, ring, key, record) comes when it is over, which `stop` brings about early.
 */

import type { SrtpKeys } from './srtp/suites.ts';

/** Where a person's telephone is, and what it takes, by its SDP. */
export interface Remote {
  address: string;
  port: number;
  /** The addresses that its packets may come from, from any port; left out: only the one above. All others are dropped. */
  sources?: readonly string[];
  /** Nothing may be sent to the address above: ours go where the peer is heard from, and nowhere before. */
  isHeardFirst?: boolean;
  codec: 'PCMU' | 'PCMA';
  /** What the peer calls the codec; by default 0 and 8, which are fixed (RFC 3551). */
  payloadType?: number;
  /** What the peer calls telephone-event; null when it knows none: keys are then sent as tones. */
  dtmfType: number | null;
  /** What our SDP called it, if that is different. */
  ownDtmfType?: number;
  /** What packets are encrypted with, in both directions; left out: they are not. */
  srtp?: SrtpKeys | undefined;
}

export interface MediaStats {
  received: number;
  /** Never came, by their sequence numbers. */
  lost: number;
  /** Of the arrival of packets (RFC 3550, 6.4.1). */
  jitterMs: number;
  sent: number;
  /** From elsewhere than the peer, and dropped unread. Those that the kernel drops for us are not counted. */
  strangers: number;
  /** No RTP, or of a payload type that nobody agreed on. */
  invalid: number;
  /** Of an encrypted call: forged, broken, or here before. */
  unauthentic: number;
  /** ICMP told that nobody listens at the peer's port. */
  refused: number;
  /** Where the peer's packets come from, as soon as that is certain. */
  heardFrom: { address: string; port: number } | null;
}

export type Command =
  | { do: 'open'; session: number; host: string; port: number }
  | { do: 'setRemote'; session: number; remote: Remote }
  | { do: 'hold'; session: number; held: boolean }
  | { do: 'play'; session: number; path: string }
  | { do: 'ring'; session: number }
  | { do: 'key'; session: number; digits: string }
  | { do: 'bridge'; one: number; other: number }
  | { do: 'record'; sessions: number[]; path: string; mostMs?: number; finishKey?: string }
  | { do: 'watch'; session: number; silentMs: number }
  | { do: 'stats'; session: number }
  | { do: 'close'; session: number }
  | { do: 'stop'; command: number };

/** What a command is answered with. */
export interface Answers {
  record: { seconds: number };
  stats: MediaStats;
  close: MediaStats | undefined;
}
export type AnswerOf<C extends Command> = C['do'] extends keyof Answers ? Answers[C['do']] : undefined;

export type Request = Command & { id: number };

export type FromWorker =
  | { answer: number; value?: unknown }
  | { answer: number; error: string; code?: string | undefined }
  | { event: 'digit'; session: number; digit: string }
  | { event: 'silent'; session: number };

/** Settings that a worker starts with. */
export interface WorkerSettings {
  region: 'GB' | 'EU' | 'US';
}

/** What is said in one turn of the loop goes to the other thread together: waking it costs more than most of what it is asked. */
export function makeOutbox<T>(post: (messages: T[]) => void): (message: T) => void {
  let waiting: T[] = [];
  return (message) => {
    if (waiting.push(message) > 1) return;
    setImmediate(() => {
      const messages = waiting;
      waiting = [];
      post(messages);
    });
  };
}
