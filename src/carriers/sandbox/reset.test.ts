import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { until } from '../../../test/kit/until.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp();
});
after(() => app.close());

test('POST /v2/sandbox/clock/ › back in real time, receipts come as soon as they would have, and others’ time stays', async () => {
  const move = (body: object, token = app.token) => app.call('POST', '/v2/sandbox/clock/', body, { token });
  await move({ advance_seconds: 86_400, speed: 0 });
  await move({ advance_seconds: 3600 }, app.otherToken);
  const { body: sent } = await app.call('POST', '/v2/chatapp/messages/', {
    chatapp_number: '+447700900001',
    to_chatapp_number: '+447700900123',
    type: 'TEXT',
    text: { body: 'Hello' },
  });
  const isNow = (...statuses: string[]) =>
    until(`the message is ${statuses}`, async () =>
      statuses.includes((await app.call('GET', `/v2/chatapp/messages/${sent.uuid}/`)).body.status),
    );
  await isNow('SENT', 'DELIVERED', 'READ');
  const { status, body } = await move({ reset: true });
  assert.deepEqual([status, body.speed, Math.round(body.ahead_seconds)], [200, 1, 0]);
  await isNow('READ');
  const other = await app.call('GET', '/v2/sandbox/clock/', undefined, { token: app.otherToken });
  assert.equal(Math.round(other.body.ahead_seconds / 60), 60);
  assert.equal((await move({ reset: true })).status, 200, 'also where it is not moved');
});
