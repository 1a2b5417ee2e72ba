import { ParleyError } from './error.ts';

export interface RetryOptions {
  fetch: typeof globalThis.fetch;
  /** How often a request is made again. */
  retries: number;
  /** How long one try may take until its answer begins. */
  timeoutMs: number;
}

/** A server that wants to be left alone for longer than this is not waited for: the caller gets its answer. */
const longestWaitMs = 60_000;

/** Timers know no longer time; one that is set to more goes off at once. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Like fetch, but makes a request again that found nobody, was put off or met an overloaded server, as long as making it twice
 * does no harm: a POST has an idempotency key, the same at every try, and a PATCH is repeated only when it was refused.
 */
export function retryingFetch({ fetch, retries, timeoutMs }: RetryOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method === 'POST' && !request.headers.has('idempotency-key')) {
      request.headers.set('idempotency-key', newKey());
    }
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= retries;
      // A copy, because a body can be read only once.
      const outcome = await tryOnce(request, isLast ? request : request.clone(), { fetch, timeoutMs });
      if (outcome instanceof Response) {
        const waitMs = isPutOff(request, outcome) ? waitAfter(outcome, attempt) : Number.POSITIVE_INFINITY;
        if (isLast || waitMs > longestWaitMs) return outcome;
        await outcome.body?.cancel();
        await pause(waitMs, request.signal);
      } else {
        if (isLast || request.method === 'PATCH') throw outcome;
        await pause(backoff(attempt), request.signal);
      }
    }
  };
}

/** A UUID, where the runtime makes them: browsers do not on pages that came without TLS. */
const newKey = (): string => crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(4)).join('-');

/** The answer, or the error that says why there is none. An abort by the caller is thrown as the caller's own reason. */
async function tryOnce(
  request: Request,
  sent: Request,
  { fetch, timeoutMs }: Omit<RetryOptions, 'retries'>,
): Promise<Response | ParleyError> {
  request.signal.throwIfAborted();
  const ending = new AbortController();
  // Stays after the answer began: the caller may still abort the reading of its body.
  request.signal.addEventListener('abort', () => ending.abort(request.signal.reason), { once: true });
  let timedOut = false;
  const timer = setTimeout(
    () => {
      timedOut = true;
      ending.abort();
    },
    Math.min(timeoutMs, longestTimerMs),
  );
  try {
    return await fetch(sent, { signal: ending.signal });
  } catch (cause) {
    request.signal.throwIfAborted();
    return timedOut
      ? new ParleyError({ status: 0, code: 'timed_out', detail: `No answer came within ${timeoutMs} ms.`, cause })
      : new ParleyError({ status: 0, code: 'unreachable', detail: `${request.url} cannot be reached.`, cause });
  } finally {
    clearTimeout(timer);
  }
}

function isPutOff({ method }: Request, { status, headers }: Response): boolean {
  if (status === 429) return true;
  // The first try of the same request is still running; other conflicts do not say when to come back.
  if (status === 409) return headers.has('retry-after');
  return [502, 503, 504].includes(status) && method !== 'PATCH';
}

/** As long as the answer asks for, and a little more, so that many who were put off do not all come back at once. */
function waitAfter({ headers }: Response, attempt: number): number {
  const wish = headers.get('retry-after');
  if (wish === null) return backoff(attempt);
  const seconds = Number(wish);
  const wishMs = Number.isNaN(seconds) ? Date.parse(wish) - Date.now() : seconds * 1000;
  return Number.isNaN(wishMs) ? backoff(attempt) : Math.max(0, wishMs) + Math.random() * 200;
}

/** 0.25 s, 0.5 s, 1 s… up to 8 s, each shortened by chance to no less than half. */
const backoff = (attempt: number): number => Math.min(8000, 250 * 2 ** attempt) * (0.5 + Math.random() / 2);

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
