/** A typed client for Parley: `createParley({ token })`. */
import createClient from 'openapi-fetch';
import { callerOf, type JsonClient } from './call.ts';
import { Operations } from './operations.ts';
import { retryingFetch } from './retry.ts';
import type { paths } from './schema.d.ts';

export type { CallOptions, JsonClient } from './call.ts';
export { type FieldErrors, ParleyError } from './error.ts';
export { etagOf } from './etag.ts';
export { Listing } from './listing.ts';
export type { Operations, Schemas } from './operations.ts';
export { paginate } from './paginate.ts';
export type { components, operations, paths } from './schema.d.ts';
export {
  verifyWebhook,
  type WebhookEvent,
  type WebhookEventType,
  type WebhookHeaders,
  WebhookVerificationError,
} from './webhook.ts';

export interface ParleyOptions {
  /** Where your Parley is. Left out: `http://127.0.0.1:8080`, where `npm start` serves it. */
  baseUrl?: string | undefined;
  /** Left out: requests carry none, as in a browser that is signed in by a cookie. */
  token?: string | undefined;
  /** Left out: that of the runtime. */
  fetch?: typeof globalThis.fetch | undefined;
  /** How often a request is made again that found nobody, was put off or met an overloaded server. Left out: 3. */
  retries?: number | undefined;
  /** How long each try may take until its answer begins. Left out: 30,000. */
  timeoutMs?: number | undefined;
}

/** A method for each operation, which fails with a ParleyError; and `GET`, `POST`… by path, which do as openapi-fetch does. */
export interface Parley extends Operations, JsonClient {}

export function createParley(options: ParleyOptions = {}): Parley {
  const { baseUrl = 'http://127.0.0.1:8080', token, retries = 3, timeoutMs = 30_000 } = options;
  const retrying = { fetch: options.fetch ?? globalThis.fetch, retries, timeoutMs };
  const client = createClient<paths, 'application/json'>({
    baseUrl,
    fetch: retryingFetch(retrying),
    headers: token === undefined ? {} : { Authorization: `Token ${token}` },
  });
  return Object.assign(new Operations(callerOf(client, retrying)), client);
}
