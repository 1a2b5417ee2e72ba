import type { Client, ParseAs } from 'openapi-fetch';
import { errorOf } from './error.ts';
import { noteEtag } from './etag.ts';
import { type RetryOptions, retryingFetch } from './retry.ts';
import type { paths } from './schema.d.ts';

/** By path. Answers that come as JSON or CSV are typed as JSON, which is what comes unless `Accept` asks for the other. */
export type JsonClient = Client<paths, 'application/json'>;

/** What may differ from one call to the next. */
export interface CallOptions {
  /** Ends the call, also between two tries. */
  signal?: AbortSignal | undefined;
  /** For POST: the same key within 24 hours does the work once. Left out: one is made up for each call. */
  idempotencyKey?: string | undefined;
  /** For a change: the version that it is based on (`etagOf`). If somebody changed the object since, the call fails with 412. */
  ifMatch?: string | undefined;
  headers?: Record<string, string> | undefined;
  /** Left out: as for all calls, but none for a form with a file. */
  retries?: number | undefined;
  timeoutMs?: number | undefined;
}

export interface Input {
  path?: Record<string, string>;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
  as?: ParseAs;
}

/** Calls an operation; resolves to the body of its answer, or fails with a ParleyError. */
export type Call = <Answer>(method: string, path: string, input: Input, options?: CallOptions) => Promise<Answer>;

/** The part of the client that is needed here, without its types by path. */
type Untyped = (
  method: string,
  path: string,
  init: Record<string, unknown>,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

export function callerOf(client: JsonClient, defaults: RetryOptions): Call {
  const request = client.request as unknown as Untyped;
  return async <Answer>(method: string, path: string, input: Input, options: CallOptions = {}) => {
    const { signal, idempotencyKey, ifMatch, headers, timeoutMs = defaults.timeoutMs } = options;
    // To be sent again, a file would have to be kept in memory. Who wants that can say so.
    const { retries = input.body instanceof FormData ? 0 : defaults.retries } = options;
    const { data, error, response } = await request(method, path, {
      params: { path: input.path, query: input.query },
      body: input.body,
      headers: {
        ...headers,
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
        ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
      },
      parseAs: input.as ?? 'json',
      fetch: retryingFetch({ ...defaults, retries, timeoutMs }),
      ...(signal && { signal }),
    });
    if (!response.ok) throw errorOf(response, error);
    noteEtag(data, response);
    return data as Answer;
  };
}
