import { phoneDigits } from '../../platform/phone.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { OutboundMessage, Outcome } from '../ports/chat.ts';
import type { GraphAnswer, NoAnswer } from './graph/client.ts';
import { errorOf, type GraphError, tokenRefused, waitAskedFor } from './graph/errors.ts';

/** Messages under way at the same time. */
const mostAtOnce = 100;

/**
 * Hands over many messages at once, those to one person one after another in their order. Once one of them is put off, what
 * comes after it to the same person is put off with it; once the sender is told to slow down, so is everything that has not
 * left yet.
 */
export async function sendAll(
  messages: OutboundMessage[],
  send: (message: OutboundMessage) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes = new Map<OutboundMessage, Outcome>();
  const waiting = [...Map.groupBy(messages, ({ toNumber }) => phoneDigits(toNumber)).values()].values();
  let slowedDown: Outcome | undefined;

  const sendInOrder = async (toOne: OutboundMessage[]): Promise<void> => {
    let putOff: Outcome | undefined;
    for (const message of toOne) {
      const outcome: Outcome = slowedDown ?? putOff ?? (await send(message));
      outcomes.set(message, outcome);
      if (outcome.kind !== 'retry') continue;
      putOff = outcome;
      if (outcome.slowsSender) slowedDown ??= outcome;
    }
  };
  // All workers draw from the same iterator, so each person's messages are drawn once.
  const work = async (): Promise<void> => {
    for (const toOne of waiting) await sendInOrder(toOne);
  };
  await Promise.all(Array.from({ length: Math.min(mostAtOnce, messages.length) }, work));
  return messages.map((message) => outcomes.get(message)!);
}

/** What an outcome depends on besides the answer. */
export interface Circumstances {
  /** 1 for the first try of this message. */
  attempt: number;
  /** How long the sender waits after a slow-down; `askedMs` is what the platform wants at least. */
  pauseMs(askedMs: number | undefined): number;
}

/** Long enough for the platform to be left alone, short enough that a new token is noticed. */
const tokenPauseMs = 30_000;
const fewAttempts = 5;
const longestPairPauseMs = 15 * 60_000;

/** How a hand-over ended, by the answer to it. */
export function outcomeOf(answer: GraphAnswer, circumstances: Circumstances): Outcome {
  const error = errorOf(answer);
  if (error) return refusal(error, circumstances);
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return accepted(answer.body);
  if (status === 401) return putOff(tokenRefused, tokenPauseMs);
  const description = `The platform answered with status ${status} and no reason.`;
  if (status === 429) return putOff(description, circumstances.pauseMs(waitAskedFor(headers)));
  // Whoever said no, a proxy or a platform that is down, took nothing. Another failure leaves that open.
  return status < 500 || status === 503 ? { kind: 'retry', description } : { kind: 'unknown', description };
}

/** No idempotency key exists: only a request that cannot have been received may be made again. */
export const unanswered = ({ message, reached }: NoAnswer): Outcome => ({
  kind: reached ? 'unknown' : 'retry',
  description: message,
});

function accepted(body: unknown): Outcome {
  const { messages } = (body ?? {}) as { messages?: { id?: unknown }[] };
  const id = Array.isArray(messages) ? messages[0]?.id : undefined;
  if (typeof id === 'string' && /^[!-~]{1,512}$/.test(id)) return { kind: 'accepted', carrierMessageId: id };
  return { kind: 'unknown', description: 'The platform answered without an id of the message.' };
}

function refusal({ code, details, class: kind, retryAfterMs }: GraphError, circumstances: Circumstances): Outcome {
  const { attempt, pauseMs } = circumstances;
  const description = `${details} (${code})`;
  switch (kind) {
    case 'retry':
      return { kind: 'retry', description };
    case 'retry-few':
      if (attempt < fewAttempts) return { kind: 'retry', description };
      return { kind: 'rejected', code: String(code), description: details };
    case 'slow':
      return putOff(description, pauseMs(retryAfterMs));
    case 'pair':
      // The platform's own rule: 4^X seconds.
      return { kind: 'retry', description, afterMs: Math.min(4 ** attempt * 1000, longestPairPauseMs) };
    case 'token':
      return putOff(description, tokenPauseMs);
    case 'permanent':
      return { kind: 'rejected', code: String(code), description: details };
  }
}

const putOff = (description: string, afterMs: number): Outcome => ({
  kind: 'retry',
  description,
  afterMs,
  slowsSender: true,
});

/** How long a sender keeps quiet after being told that it is too fast. Known to this process only. */
export interface Pauses {
  /** The sender was told to slow down: how long it should wait. */
  lengthen(sender: string, askedMs: number | undefined): number;
  /** Something of the sender was taken: the next pause is a short one again. */
  reset(sender: string): void;
}

const firstMs = 1_000;
const longestMs = 60_000;

export function makePauses(clock: Clock): Pauses {
  const pauses = new Map<string, { lengthMs: number; untilMs: number }>();
  return {
    lengthen(sender, askedMs = 0) {
      const now = clock.now().getTime();
      const last = pauses.get(sender);
      // Messages that were under way together are told together: that is one slow-down and not a hundred.
      const again = last !== undefined && now >= last.untilMs;
      const lengthMs = last ? Math.min(again ? last.lengthMs * 2 : last.lengthMs, longestMs) : firstMs;
      const waitMs = Math.max(lengthMs, askedMs);
      pauses.set(sender, { lengthMs, untilMs: again || !last ? now + waitMs : last.untilMs });
      return waitMs;
    },
    reset: (sender) => void pauses.delete(sender),
  };
}
