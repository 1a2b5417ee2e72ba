// The SDK verifies what Parley really signs and sends.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createParley, type Parley, verifyWebhook, WebhookVerificationError } from '../../sdk/src/index.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';
import { type Received, type Receiver, startReceiver } from '../kit/webhooks/receiver.ts';

describe('verifyWebhook', () => {
  let app: TestApp;
  let parley: Parley;
  let receiver: Receiver;
  before(async () => {
    app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
    parley = createParley({ baseUrl: await app.app.listen({ host: '127.0.0.1', port: 0 }), token: app.token });
    receiver = await startReceiver();
  });
  after(async () => {
    await receiver.close();
    await app.close();
  });

  /** The first delivery that a look finds. */
  const delivered = async (finds: (one: Received) => boolean): Promise<Received> =>
    (await until(
      () => receiver.received.find(finds),
      (one) => one !== undefined,
    ))!;

  it('reads what Parley sends, however the framework has body and headers', async () => {
    const { secret } = await parley.createChatappWebhook({ url: receiver.url, events: ['chatapp.message.status'] });
    const { uuid } = await parley.createMessage({
      chatapp_number: '+44 7700 900001',
      to_chatapp_number: '+44 7700 900123',
      type: 'TEMPLATE',
      template: { template_name: 'grüße' },
    });
    const { body, headers } = await delivered((one) => one.body.includes(uuid) && one.body.includes('SENT'));
    const event = verifyWebhook(body, headers, secret);
    // The type of an event tells the compiler what its data is.
    assert.ok(event.type === 'chatapp.message.status');
    assert.equal(event.data.uuid, uuid);
    assert.equal(event.data.status, 'SENT');
    assert.equal(event.id, headers['webhook-id']);
    assert.match(event.timestamp, /^\d{4}-/);

    const entries = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    const capitals = Object.fromEntries(entries.map(([name, value]) => [name.toUpperCase(), value]));
    assert.deepEqual(verifyWebhook(Buffer.from(body), new Headers(entries), secret), event);
    assert.deepEqual(verifyWebhook(new TextEncoder().encode(body), capitals, secret), event);
  });

  it('refuses what was changed, is old, lacks a header or was signed by somebody else', async () => {
    const { uuid, secret } = await parley.createChatappWebhook({
      url: `${receiver.url}/refused`,
      // Of nothing that another test has set going.
      events: ['webhook.disabled'],
    });
    await parley.testChatappWebhook(uuid);
    const { body, headers } = await delivered((one) => one.path.endsWith('/refused'));
    assert.equal(verifyWebhook(body, headers, secret).type, 'test.ping');
    const { secret: another } = await parley.createChatappWebhook({ url: `${receiver.url}/another`, enabled: false });
    const old = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 301) };
    const { 'webhook-signature': _, ...unsigned } = headers;
    for (const [text, given, key] of [
      [`${body} `, headers, secret],
      [body, old, secret],
      [body, { ...headers, 'webhook-id': 'another' }, secret],
      [body, unsigned, secret],
      [body, {}, secret],
      [body, headers, another],
    ] as const) {
      assert.throws(() => verifyWebhook(text, given, key), WebhookVerificationError);
    }
  });

  it('accepts the old and the new secret after a change of it', async () => {
    const { uuid, secret: before } = await parley.createChatappWebhook({
      url: `${receiver.url}/rotated`,
      // Of nothing that another test has set going.
      events: ['webhook.disabled'],
    });
    const { secret: now } = await parley.rotateChatappWebhookSecret(uuid);
    await parley.testChatappWebhook(uuid);
    const { body, headers } = await delivered((one) => one.path.endsWith('/rotated'));
    assert.notEqual(now, before);
    for (const secret of [before, now]) assert.equal(verifyWebhook(body, headers, secret).type, 'test.ping');
  });
});
