import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { startTestApp } from '../../../test/kit/app.ts';
import { until } from '../../../test/kit/until.ts';

interface Told {
  type: string;
  data: { uuid: string; status: string; meta_data: object };
}

test('each step of a message is told to a webhook, as the libraries of two other teams can verify', async () => {
  const received: { body: string; headers: Record<string, string> }[] = [];
  const receiver = createServer(async (request, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ body: Buffer.concat(chunks).toString(), headers: request.headers as Record<string, string> });
    answer.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  try {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const { secret } = (await app.call('POST', '/v2/chatapp/webhooks/', { url, events: ['chatapp.message.status'] }))
      .body;
    const message = {
      chatapp_number: '+447700900001',
      to_chatapp_number: '+447700900123',
      type: 'TEXT',
      text: { body: 'Hello' },
      meta_data: { order: 17 },
    };
    const { uuid } = (await app.call('POST', '/v2/chatapp/messages/', message)).body;
    await app.call('POST', '/v2/chatapp/messages/', message, { token: app.otherToken });
    await until(() => received.length >= 3);
    const told = received.map(({ body, headers }) => new StandardWebhook(secret).verify(body, headers) as Told);
    for (const { body, headers } of received) assert.doesNotThrow(() => new SvixWebhook(secret).verify(body, headers));
    assert.throws(() => new SvixWebhook(secret).verify(`${received[0]!.body} `, received[0]!.headers));
    assert.deepEqual(told.map(({ data }) => data.status).toSorted(), ['DELIVERED', 'READ', 'SENT']);
    // Another account's message was sent too, and is not among them.
    for (const { type, data } of told) {
      assert.deepEqual([type, data.uuid, data.meta_data], ['chatapp.message.status', uuid, { order: 17 }]);
    }
  } finally {
    await app.close();
    receiver.close();
    receiver.closeAllConnections();
  }
});
