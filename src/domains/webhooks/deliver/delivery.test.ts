import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { until } from '../../../../test/kit/until.ts';
import { type Received, startStage, verifies } from '../../../../test/kit/webhooks/receiver.ts';
import { announce } from '../index.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

describe('Delivery of webhooks', () => {
  let app: TestApp;
  let stage: ReturnType<typeof startStage>;
  before(async () => {
    app = await startTestApp({ ROLES: 'api', WEBHOOK_ALLOW_PRIVATE: 'true' }, { madeUpEvents: true });
    stage = startStage(app);
  });
  after(async () => {
    await stage.close();
    await app.close();
  });

  it('sends an announced event once to each webhook that wants it, signed, and records the answer', async () => {
    const [first, second, third] = [await stage.receiver(), await stage.receiver(), await stage.receiver()];
    const wanting = await stage.create(first.url, { events: ['chatapp.message.status'] });
    const all = await stage.create(second.url);
    const other = await stage.create(third.url, { events: ['chatapp.message.received'] });
    await stage.announceStatus({ status: 'SENT', text: 'grüße 👋' });
    await until(
      () => first.received.length + second.received.length,
      (count) => count === 2,
    );
    const [got] = first.received as [Received];
    assert.ok(verifies(got, wanting.secret));
    assert.ok(!verifies(got, all.secret));
    assert.ok(!verifies({ ...got, body: `${got.body} ` }, wanting.secret));
    assert.equal(got.headers['content-type'], 'application/json');
    assert.ok(Math.abs(Number(got.headers['webhook-timestamp']) - Date.now() / 1000) < 60);
    const { type, timestamp, data, ...rest } = JSON.parse(got.body);
    assert.deepEqual([type, data, rest], ['chatapp.message.status', { status: 'SENT', text: 'grüße 👋' }, {}]);
    assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.equal(second.received[0]!.headers['webhook-id'], got.headers['webhook-id'], 'one event has one id');

    const list = await app.call('GET', `/v2/webhook-deliveries/?webhook=${wanting.uuid}`);
    assert.deepEqual([list.body.count, list.body.results[0].event], [1, got.headers['webhook-id']]);
    const shown = await stage.ended(list.body.results[0].uuid, 'SUCCEEDED');
    assert.deepEqual([shown.attempt_count, shown.next_attempt, shown.payload], [1, null, JSON.parse(got.body)]);
    assert.deepEqual([shown.attempts.length, shown.attempts[0].status_code], [1, 200]);
    assert.equal(third.received.length, 0);
    await Promise.all([wanting, all, other].map(({ uuid }) => stage.remove(uuid)));
  });

  it('is announced with the transaction, or not at all', async () => {
    const receiver = await stage.receiver();
    const { uuid } = await stage.create(receiver.url);
    await assert.rejects(
      app.deps.db.transaction().execute(async (db) => {
        const event = { accountId: app.accountId, type: 'chatapp.message.status', data: { rolled: 'back' } } as const;
        await announce(db, stage.deps, [event]);
        throw new Error('no');
      }),
    );
    await stage.announceStatus({ rolled: 'forward' });
    await stage.heard(receiver, 1);
    assert.deepEqual(
      receiver.received.map(({ body }) => JSON.parse(body).data),
      [{ rolled: 'forward' }],
    );
    await stage.remove(uuid);
  });

  it('signs with both secrets for a day after a rotation', async () => {
    const receiver = await stage.receiver();
    const { uuid: endpoint, secret } = await stage.create(receiver.url);
    const rotated = await app.call('POST', `/v2/chatapp/webhooks/${endpoint}/rotate-secret/`);
    assert.equal(rotated.status, 200);
    assert.notEqual(rotated.body.secret, secret);
    stage.backToNow();
    await stage.attempted((await stage.ping(endpoint)).uuid, 1);
    stage.pass(dayMs + minuteMs);
    await stage.attempted((await stage.ping(endpoint)).uuid, 1);
    const [during, after] = receiver.received as [Received, Received];
    assert.deepEqual([verifies(during, secret), verifies(during, rotated.body.secret)], [true, true]);
    assert.deepEqual([verifies(after, secret), verifies(after, rotated.body.secret)], [false, true]);
    await stage.remove(endpoint);
  });

  it('sends again what a worker had claimed when it died', async () => {
    const receiver = await stage.receiver();
    const { uuid: endpoint } = await stage.create(receiver.url);
    await app.deps.db.transaction().execute(async (db) => {
      await announce(db, stage.deps, [{ accountId: app.accountId, type: 'optout.changed', data: {} }]);
      await sql`update webhook_queue set claimed_by = 1, claimed_at = now() - interval '1 minute'
        where endpoint = ${endpoint}`.execute(db);
    });
    await stage.heard(receiver, 1);
    await stage.remove(endpoint);
  });

  it('sends events of a number to the webhooks which that number names, and to no others', async () => {
    const [named, unnamed, chatapp] = [await stage.receiver(), await stage.receiver(), await stage.receiver()];
    const { secret } = await stage.create(named.url, { name: 'crm' }, '/v2/number/webhooks/');
    await stage.create(unnamed.url, { name: 'other' }, '/v2/number/webhooks/');
    const { uuid } = await stage.create(chatapp.url);
    const bought = await app.call('POST', '/v2/number/', { country_code: 'GB', webhooks: ['crm'] });
    assert.deepEqual([bought.status, bought.body.webhooks], [201, ['crm']]);
    await app.call('POST', '/v2/number/', { country_code: 'GB' });

    const inUse = await app.call('DELETE', '/v2/number/webhooks/crm/');
    assert.deepEqual([inUse.status, inUse.body.code], [409, 'webhook_in_use']);
    assert.equal((await app.call('DELETE', `/v2/number/${bought.body.number}/`)).status, 204);
    await stage.heard(named, 2);
    const events = named.received.map(({ body }) => JSON.parse(body)).sort((a, b) => (a.type < b.type ? -1 : 1));
    assert.deepEqual(
      events.map(({ type }) => type),
      ['number.assigned', 'number.released'],
    );
    assert.deepEqual(events[0].data, bought.body);
    assert.equal(events[1].data.number, bought.body.number);
    assert.ok(named.received.every((got) => verifies(got, secret)));

    // What is queued later has been sent by then.
    await stage.attempted((await app.call('POST', '/v2/number/webhooks/other/test/')).body.uuid, 1);
    await stage.attempted((await stage.ping(uuid)).uuid, 1);
    assert.deepEqual([unnamed.received.length, chatapp.received.length], [1, 1]);
    assert.equal((await app.call('DELETE', '/v2/number/webhooks/crm/')).status, 204);
  });
});
