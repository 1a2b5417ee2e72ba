import assert from 'node:assert/strict';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import type { TestApp } from '../kit/app.ts';
import { startReceiver } from '../kit/webhooks/receiver.ts';

export interface Told {
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks wherever it likes
  data: any;
}

/** Somebody who listens to Parley, and knows the secret of what arrives. */
export interface Listener {
  url: string;
  secret: string;
  /** What arrived about a message, oldest first, each opened by the libraries of two other teams. */
  about(uuid: string): Told[];
  close(): Promise<void>;
}

/** Registers for events through the API. Parley must run with `WEBHOOK_ALLOW_PRIVATE`. */
export async function listenTo(app: TestApp, events: string[]): Promise<Listener> {
  return listener(async (url) => {
    const made = await app.call('POST', '/v2/chatapp/webhooks/', { url, events });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.secret;
  });
}

/** The place for `callback_url`, whose secret is the account's. */
export async function listenForCallbacks(app: TestApp): Promise<Listener> {
  return listener(async () => {
    const made = await app.call('POST', '/v2/account/callback-secret/');
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.secret;
  });
}

async function listener(agree: (url: string) => Promise<string>): Promise<Listener> {
  const receiver = await startReceiver();
  const secret = await agree(receiver.url);
  const [standard, svix] = [new StandardWebhook(secret), new SvixWebhook(secret)];
  const opened = (body: string, headers: Record<string, string>): Told => {
    const told = standard.verify(body, headers) as Told;
    svix.verify(body, headers);
    assert.throws(() => standard.verify(`${body} `, headers));
    assert.throws(() => svix.verify(`${body} `, headers));
    return told;
  };
  return {
    url: receiver.url,
    secret,
    about: (uuid) =>
      receiver.received
        .filter(({ body }) => body.includes(`"${uuid}"`))
        .map(({ body, headers }) => opened(body, headers as Record<string, string>)),
    close: receiver.close,
  };
}
