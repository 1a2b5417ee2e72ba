import type { Outcome } from '../../ports/chat.ts';
import type { GraphAnswer, NoAnswer } from '../graph/client.ts';
import { errorOf, type GraphError, tokenRefused, waitAskedFor } from '../graph/errors.ts';

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
  if (status === 401) return heldBack(tokenRefused, tokenPauseMs);
  const description = `The platform answered with status ${status} and no reason.`;
  if (status === 429) return heldBack(description, circumstances.pauseMs(waitAskedFor(headers)));
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
      return heldBack(description, pauseMs(retryAfterMs));
    case 'pair':
      // The platform's own rule: 4^X seconds.
      return { kind: 'retry', description, afterMs: Math.min(4 ** attempt * 1000, longestPairPauseMs) };
    case 'token':
      return heldBack(description, tokenPauseMs);
    case 'permanent':
      return { kind: 'rejected', code: String(code), description: details };
  }
}

const heldBack = (description: string, afterMs: number): Outcome => ({
  kind: 'retry',
  description,
  afterMs,
  slowsSender: true,
});
