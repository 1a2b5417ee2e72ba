import type { RequestPdu } from '../codec/index.ts';
import { Status } from '../codec/index.ts';

/** What a request is answered with; nothing: taken. */
export interface Answer {
  status?: number;
  message_id?: string;
  [field: string]: unknown;
}

/**
 * Carries out a request of the other side. It is answered when this is done, so nothing is acknowledged before it is stored.
 * null: no answer is sent; a simulated broken peer uses this.
 */
export type Handler = (pdu: RequestPdu) => Promise<Answer | undefined | null>;

/** Requests of the other side: those in hand, and those that wait for a hand. */
export interface Serving {
  take(pdu: RequestPdu): void;
  inHand(): number;
}

export interface ServingOptions {
  /** Handlers at a time. */
  hands: number;
  handle: Handler;
  reply(pdu: RequestPdu, answer: Answer): void;
  onSettled(): void;
}

/** Of those that wait, per hand. A peer that keeps to a window stays far below; one that does not is asked to come again. */
const mostWaitingPerHand = 100;

export function makeServing({ hands, handle, reply, onSettled }: ServingOptions): Serving {
  const queue: RequestPdu[] = [];
  let inHand = 0;

  async function serve(pdu: RequestPdu): Promise<void> {
    inHand++;
    try {
      const answer = await handle(pdu);
      if (answer !== null) reply(pdu, answer ?? {});
    } catch {
      reply(pdu, { status: Status.RX_T_APPN });
    } finally {
      // Whatever became of the answer, the hand is free again.
      inHand--;
      const next = queue.shift();
      if (next) void serve(next);
      else onSettled();
    }
  }

  return {
    take(pdu) {
      if (inHand < hands) void serve(pdu);
      else if (queue.length < hands * mostWaitingPerHand) queue.push(pdu);
      else reply(pdu, { status: Status.RX_T_APPN });
    },
    inHand: () => inHand + queue.length,
  };
}
