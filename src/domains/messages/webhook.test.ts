import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApp } from '../../testing.ts';

test('each step of a message is told to a webhook, with the message as it stands then, and to no other account’s', async () => {
  const received: { type: string; data: { uuid: string; status: string; meta_data: object } }[] = [];
  const receiver = createServer(async (request, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push(JSON.parse(Buffer.concat(chunks).toString()));
    answer.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  try {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    await app.call('POST', '/v2/chatapp/webhooks/', { url, events: ['chatapp.message.status'] });
    const message = {
      chatapp_number: '+447700900001',
      to_chatapp_number: '+447700900123',
      type: 'TEXT',
      text: { body: 'Hello' },
      meta_data: { order: 17 },
    };
    const { uuid } = (await app.call('POST', '/v2/chatapp/messages/', message)).body;
    await app.call('POST', '/v2/chatapp/messages/', message, { token: app.otherToken });
    while (received.length < 3) await sleep(20);
    assert.deepEqual(received.map(({ data }) => data.status).toSorted(), ['DELIVERED', 'READ', 'SENT']);
    for (const { type, data } of received) {
      assert.deepEqual([type, data.uuid, data.meta_data], ['chatapp.message.status', uuid, { order: 17 }]);
    }
  } finally {
    await app.close();
    receiver.close();
    receiver.closeAllConnections();
  }
});
