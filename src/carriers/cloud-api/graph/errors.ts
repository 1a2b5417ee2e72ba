import type { GraphAnswer } from './client.ts';

/**
 * What an error means for the one who asked.
 * `retry` later; `retry-few` the same, but not for long: the platform does not know either; `slow` too much of this sender;
 * `pair` too much for this person; `token` nothing of this sender is heard before it has another token; `permanent` no.
 */
export type ErrorClass = 'retry' | 'retry-few' | 'slow' | 'pair' | 'token' | 'permanent';

/** The codes that are not simply a no, and those which come with a status of 500 but are. */
const classes: Readonly<Record<number, ErrorClass>> = {
  0: 'token',
  1: 'retry-few',
  2: 'retry',
  3: 'permanent',
  4: 'slow',
  190: 'token',
  80007: 'slow',
  130429: 'slow',
  131000: 'retry-few',
  131016: 'retry',
  131045: 'permanent',
  131048: 'slow',
  131056: 'pair',
  131057: 'slow',
  132069: 'retry',
  133004: 'retry',
};

/** By code; the status decides only about codes we do not know, because it differs from page to page. */
function classOf(code: number, status: number): ErrorClass {
  const known = classes[code];
  if (known) return known;
  if (status === 401) return 'token';
  if (status === 429) return 'slow';
  return status >= 500 ? 'retry-few' : 'permanent';
}

export const tokenRefused = 'The platform does not take the access token of this sender.';

/** What an answer says went wrong, in the platform's words. */
export interface GraphError {
  code: number;
  subcode: number | undefined;
  details: string;
  class: ErrorClass;
  /** How long the platform asks us to wait. */
  retryAfterMs?: number;
}

/** The error in an answer, if it has one. Codes and details count; titles are said to go away. */
export function errorOf({ status, body, headers }: GraphAnswer): GraphError | undefined {
  const error = fieldsOf(fieldsOf(body)?.error);
  if (!error || typeof error.code !== 'number') return undefined;
  const retryAfterMs = waitAskedFor(headers);
  const kind = classOf(error.code, status);
  return {
    code: error.code,
    subcode: typeof error.error_subcode === 'number' ? error.error_subcode : undefined,
    // The platform's own words about a malformed token quote it.
    details: kind === 'token' ? tokenRefused : (detailsOf(error) ?? `The platform refused with status ${status}.`),
    class: kind,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

const mostDetails = 2_000;

/**
 * `error_data` is an object for messages, and may be a text or absent for templates and flows. What comes out is stored, so
 * it is what PostgreSQL can store.
 */
function detailsOf(error: Record<string, unknown>): string | undefined {
  const { error_data: data, error_user_msg: said, message } = error;
  const candidates = [fieldsOf(data)?.details, data, said, message];
  const text = candidates.find((text): text is string => typeof text === 'string' && text !== '');
  return text?.slice(0, mostDetails).toWellFormed().replaceAll('\0', '\uFFFD');
}

const longestWaitMs = 3_600_000;

/** `Retry-After` in seconds, or the minutes after which the busiest of the accounts regains access; an hour at most. */
export function waitAskedFor(headers: GraphAnswer['headers']): number | undefined {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  if (seconds > 0) return Math.min(seconds * 1000, longestWaitMs);
  const minutes = Math.max(0, ...usesOf(headers['x-business-use-case-usage']).map(minutesIn));
  return minutes > 0 ? Math.min(minutes * 60_000, longestWaitMs) : undefined;
}

const minutesIn = (use: unknown): number => Number(fieldsOf(use)?.estimated_time_to_regain_access) || 0;

function usesOf(header: unknown): unknown[] {
  try {
    return Object.values(JSON.parse(String(header ?? '{}')) as object).flat();
  } catch {
    return [];
  }
}

const fieldsOf = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
