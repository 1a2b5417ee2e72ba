import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';
import { startReceiver } from '../kit/webhooks/receiver.ts';

let app: TestApp;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
before(async () => {
  app = await startTestApp({ WEBHOOK_ALLOW: '127.0.0.0/8' });
  receiver = await startReceiver();
});
after(async () => {
  await app.close();
  await receiver.close();
});

it('the audit log is sealed within seconds, and told to webhooks that name audit.entry, not to those for everything', async () => {
  const named = await app.call('POST', '/v2/webhooks/', { url: receiver.url, events: ['audit.entry'] });
  assert.equal(named.status, 201, JSON.stringify(named.body));
  const all = await app.call('POST', '/v2/webhooks/', { url: `${receiver.url}all`, events: ['*'] });
  assert.equal(all.status, 201);
  await app.call('PATCH', '/v2/account/', { name: 'Renamed' }, { headers: { 'x-request-id': 'told' } });
  const told = await until(
    () =>
      app.deps.db
        .selectFrom('webhook_deliveries')
        .select(['endpoint', 'payload'])
        .where('type', '=', 'audit.entry')
        .execute(),
    (rows) => rows.some(({ payload }) => payload.includes('"told"')),
  );
  assert.deepEqual([...new Set(told.map(({ endpoint }) => endpoint))], [named.body.uuid]);
  const { data } = JSON.parse(told.find(({ payload }) => payload.includes('"told"'))!.payload);
  assert.deepEqual([data.operation, typeof data.sequence, data.hash.length], ['updateAccount', 'number', 64]);
  const { body } = await app.call('GET', '/v2/audit-log/verify/');
  assert.equal(body.status, 'INTACT');
});
