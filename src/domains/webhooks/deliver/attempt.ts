import type { Deps } from '../../../deps.ts';
import { newId } from '../../../platform/ids.ts';
import type { Outbound, OutboundAnswer } from '../../../platform/outbound/client.ts';
import type { Claimed, Outcome, Waiting } from './queue.ts';
import { openedOf, secretsAt, signedHeaders } from './sign.ts';

const timeoutMs = 15_000;
const mostResponseBytes = 1024;
export const goneStatus = 410;

/** Sends one delivery once, and says how that ended. */
export async function attemptDelivery(
  { clock, vault }: Pick<Deps, 'clock' | 'vault'>,
  outbound: Outbound,
  endpoint: Waiting,
  claimed: Claimed,
  signal: AbortSignal,
): Promise<Outcome> {
  const at = clock.now();
  const startedMs = performance.now();
  const send = async (): Promise<OutboundAnswer> => {
    const body = claimed.payload;
    const timestampSeconds = Math.floor(at.getTime() / 1000);
    const secrets = openedOf(vault, secretsAt(endpoint, at));
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Parley-Webhooks/1.0',
      ...signedHeaders({ id: claimed.event, timestampSeconds, body }, secrets),
    };
    return outbound.post({ url: endpoint.url, headers, body, timeoutMs, mostBytes: mostResponseBytes, signal });
  };
  const answer = await send().catch((error: Error) => error);
  return {
    accountId: endpoint.account_id,
    endpoint: endpoint.uuid,
    delivery: claimed.uuid,
    attempt: newId(),
    at,
    durationMs: Math.round(performance.now() - startedMs),
    ...meaningOf(answer, claimed.attempts + 1, clock.now()),
  };
}

/** What an answer, or none, means for the delivery. Only 2xx is success; a redirect is a failure like any other. */
export function meaningOf(answer: OutboundAnswer | Error, attempts: number, now: Date) {
  if (answer instanceof Error) {
    const error = answer.message || answer.name;
    const next = nextAttempt(attempts, now);
    return { statusCode: null, response: '', error, succeeded: false, nextAttempt: next, pausedUntil: null };
  }
  const { status, text: response } = answer;
  if (status >= 200 && status < 300) {
    return { statusCode: status, response, error: '', succeeded: true, nextAttempt: null, pausedUntil: null };
  }
  const pausedUntil = slowDownUntil(status, answer.headers['retry-after'], now);
  const scheduled = status === goneStatus ? null : nextAttempt(attempts, now);
  const next = scheduled && pausedUntil && pausedUntil > scheduled ? pausedUntil : scheduled;
  const error = `The endpoint answered ${status}.`;
  return { statusCode: status, response, error, succeeded: false, nextAttempt: next, pausedUntil };
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long to wait after each failed attempt; after the last one the delivery has failed. In all a little over three days. */
const pausesMs = [
  5 * second,
  minute,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** An endpoint that asks for more is asked again after a day. */
const longestRetryAfterMs = 24 * hour;
/** How long an endpoint is left alone that says it has too much to do, but not until when. */
const slowDownMs = 5 * second;
/** An endpoint is disabled after this long with nothing but failures. */
export const longestFailingMs = 5 * 24 * hour;

/** When to try again after so many attempts; null: never. Up to a fifth later, so that many do not come back together. */
export function nextAttempt(attempts: number, now: Date, random: () => number = Math.random): Date | null {
  const pauseMs = pausesMs[attempts - 1];
  return pauseMs === undefined ? null : new Date(now.getTime() + pauseMs * (1 + random() * 0.2));
}

/** Until when an endpoint wants to be left alone, by its answer; null: it did not say so. */
export function slowDownUntil(status: number, retryAfter: string | undefined, now: Date): Date | null {
  const afterMs = readRetryAfterMs(retryAfter, now);
  if (status === 429 || status === 503) return new Date(now.getTime() + (afterMs ?? slowDownMs));
  if (status === 502 || status === 504) return new Date(now.getTime() + slowDownMs);
  return null;
}

/** RFC 9110, 10.2.3: seconds, or a date. */
function readRetryAfterMs(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * second : Date.parse(value) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), longestRetryAfterMs);
}
