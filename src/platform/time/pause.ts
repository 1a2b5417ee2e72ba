/** Done after a time, or when the signal says so. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });

/** The same answer, or undefined after a time. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const late = new AbortController();
  try {
    return await Promise.race([work, pause(ms, late.signal).then(() => undefined)]);
  } finally {
    late.abort();
  }
}

/**
 * The answer of some work, or an error named `TimeoutError` after a time. The work is told by its signal; whether or not it
 * listens, nobody waits for longer.
 */
export async function inTime<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new DOMException(`Not within ${ms / 1000} seconds.`, 'TimeoutError');
    late.abort(error);
    reject(error);
  }, ms);
  try {
    return await Promise.race([work(late.signal), over]);
  } finally {
    clearTimeout(timer);
  }
}
