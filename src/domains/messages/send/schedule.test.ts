import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { until } from '../../../../test/kit/until.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp();
});
after(() => app.close());

const send = (more: object) =>
  app.call('POST', '/v2/chatapp/messages/', {
    chatapp_number: '+447700900001',
    to_chatapp_number: '+447700900123',
    type: 'TEXT',
    text: { body: 'Good morning' },
    ...more,
  });
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const status = async (uuid: string) => (await app.call('GET', `/v2/chatapp/messages/${uuid}/`)).body.status;
const leaves = (uuid: string) =>
  until(
    () => status(uuid),
    (now) => now !== 'QUEUED',
  );
const cancel = (uuid: string, token = app.token) =>
  app.call('POST', `/v2/chatapp/messages/${uuid}/cancel/`, undefined, { token });

test('a message with send_at waits for its moment, and one without does not wait for it', async () => {
  const later = (await send({ send_at: inDays(1) })).body.uuid;
  const now = (await send({})).body.uuid;
  await leaves(now);
  assert.equal(await status(later), 'QUEUED');
  await app.call('POST', '/v2/sandbox/clock/', { advance_seconds: 86_460 });
  assert.notEqual(await leaves(later), 'FAILED');
});

test('a moment that is over means at once; one beyond 90 days is refused', async () => {
  const { uuid } = (await send({ send_at: '2020-01-01T00:00:00Z' })).body;
  await leaves(uuid);
  assert.deepEqual((await send({ send_at: inDays(200) })).body, { send_at: ['Ensure this moment is within 90 days.'] });
  assert.deepEqual(Object.keys((await send({ send_at: 'tomorrow' })).body), ['send_at']);
});

test('what waits can be cancelled, by its owner, once; it never leaves, and the ledger adds up', async () => {
  const { uuid } = (await send({ send_at: inDays(30), to_chatapp_number: '+15550166' })).body;
  assert.equal((await cancel(uuid, app.otherToken)).status, 404);
  const cancelled = await cancel(uuid);
  assert.deepEqual([cancelled.status, cancelled.body.status], [200, 'CANCELLED']);
  const again = await cancel(uuid);
  assert.deepEqual([again.status, again.body.code], [409, 'message_not_queued']);
  await app.call('POST', '/v2/sandbox/clock/', { advance_seconds: 40 * 86_400 });
  const other = (await send({ to_chatapp_number: '+15550167' })).body.uuid;
  await leaves(other);
  assert.equal((await app.call('GET', '/v2/sandbox/phones/+15550166/')).body.count, 0);
  const ledger = (await app.call('GET', '/v2/account/ledger/')).body;
  assert.deepEqual([ledger.final.cancelled, ledger.unaccounted], [1, 0]);
  assert.equal((await cancel(other)).status, 409);
});
