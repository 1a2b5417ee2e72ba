import { Webhook } from 'standardwebhooks';
import type { Schemas } from './operations.ts';

export { WebhookVerificationError } from 'standardwebhooks';

type WithId<Event> = Event extends unknown
  ? Event & { /** The same when a delivery comes twice. */ id: string }
  : never;

/** One event: its `type` tells what its `data` is. Deliveries may come twice: the `id` is the same then. */
export type WebhookEvent = WithId<Schemas['WebhookEvent']>;

export type WebhookEventType = WebhookEvent['type'];

/** The headers of a request as fetch, node:http and most frameworks have them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

/**
 * Checks that a delivery is from your Parley and not older than five minutes, and reads it; throws a WebhookVerificationError
 * otherwise. `body` must be as it came, before any parsing; `secret` is what creating the webhook showed.
 */
export function verifyWebhook(body: string | Uint8Array, headers: WebhookHeaders, secret: string): WebhookEvent {
  const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  const signed = {
    'webhook-id': headerOf(headers, 'webhook-id'),
    'webhook-timestamp': headerOf(headers, 'webhook-timestamp'),
    'webhook-signature': headerOf(headers, 'webhook-signature'),
  };
  const event = new Webhook(secret).verify(text, signed) as Schemas['WebhookEvent'];
  return { ...event, id: signed['webhook-id'] };
}

function headerOf(headers: WebhookHeaders, name: string): string {
  if (typeof headers.get === 'function') return headers.get(name) ?? '';
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : (found?.[0] ?? '');
}
