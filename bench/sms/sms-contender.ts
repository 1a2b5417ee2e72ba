import type { Cpu } from '../kit/cpu.ts';

/** Who is compared in the row sms, and what all of them are given to send. */

/** Stands for seven digits that are different in each request. */
export const recipientDigits = '0000000';
export const sender = 'Parley';
/** One part. */
export const text = 'Your viewing of 12 Orchard Road, Bristol is confirmed: Saturday at 10:30. Reply STOP to opt out.';

export const waitLimitMs = 30_000;
export const pollMs = 100;

export interface Contender {
  /** Its name at the centre. */
  systemId: string;
  /** What to ask for, again and again: for `send-sms.lua`. */
  target(withReceipts: boolean): Promise<{ url: string; args: string[] }>;
  /** Until nothing waits to leave, of at least so many since this was last asked. */
  untilSent(atLeast: number): Promise<void>;
  /** Until it has told, in its way, that so many were delivered; answers when the last was, in milliseconds since 1970. */
  untilReported(count: number): Promise<number>;
  /** What it has used of the processors until now. */
  cpu?(): Promise<Cpu>;
}
