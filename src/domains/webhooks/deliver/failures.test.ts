import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { until } from '../../../../test/kit/until.ts';
import { startStage, status, verifies } from '../../../../test/kit/webhooks/receiver.ts';
import { eventsOf } from '../../timeline/index.ts';
import { findWaitingAnyAccount } from './queue.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

describe('Webhooks that fail', () => {
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

  it('tries again by its schedule with the same id and body, and a fresh timestamp', async () => {
    const receiver = await stage.receiver(status(500));
    const { uuid: endpoint, secret } = await stage.create(receiver.url);
    const { uuid } = await stage.ping(endpoint);
    const first = await stage.attempted(uuid, 1);
    assert.deepEqual([first.status, first.last_status_code], ['PENDING', 500]);
    assert.equal(first.attempts[0].response, 'no');
    assert.ok((await stage.webhook(endpoint)).failing_since);
    stage.pass(7_000);
    await stage.attempted(uuid, 2);
    receiver.answering = (answer) => answer.writeHead(204).end();
    stage.pass(2 * minuteMs);
    const last = await stage.ended(uuid, 'SUCCEEDED');
    assert.deepEqual(
      last.attempts.map((one: { status_code: number }) => one.status_code),
      [500, 500, 204],
    );
    const { received } = receiver;
    assert.equal(received.length, 3);
    assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 1);
    assert.equal(new Set(received.map(({ body }) => body)).size, 1);
    assert.equal(new Set(received.map(({ headers }) => headers['webhook-timestamp'])).size, 3);
    assert.ok(received.every((got) => verifies(got, secret)));
    assert.equal((await stage.webhook(endpoint)).failing_since, null);
    await stage.remove(endpoint);
  });

  it('is not looked at until its next attempt is due, or somebody sends it by hand', async () => {
    const receiver = await stage.receiver(status(500));
    const { uuid: endpoint } = await stage.create(receiver.url);
    const { uuid } = await stage.ping(endpoint);
    await stage.attempted(uuid, 1);
    const isFound = async () => (await findWaitingAnyAccount(app.deps.db)).some((found) => found.uuid === endpoint);
    assert.equal(await isFound(), false);
    receiver.answering = (answer) => answer.end();
    await app.call('POST', `/v2/webhook-deliveries/${uuid}/redeliver/`);
    await stage.ended(uuid, 'SUCCEEDED');
    await stage.remove(endpoint);
  });

  it('gives up after the last attempt, and sends again by hand', async () => {
    const receiver = await stage.receiver(status(500));
    const { uuid: endpoint } = await stage.create(receiver.url);
    const { uuid } = await stage.ping(endpoint);
    await stage.attempted(uuid, 1);
    await app.deps.db.updateTable('webhook_queue').set({ attempts: 10 }).where('delivery', '=', uuid).execute();
    stage.pass(7_000);
    const failed = await stage.ended(uuid, 'FAILED');
    assert.deepEqual([failed.next_attempt, failed.last_error], [null, 'The endpoint answered 500.']);
    receiver.answering = (answer) => answer.end();
    const again = await app.call('POST', `/v2/webhook-deliveries/${uuid}/redeliver/`);
    assert.deepEqual([again.status, again.body.status], [201, 'PENDING']);
    const done = await stage.ended(uuid, 'SUCCEEDED');
    assert.equal(done.attempts.length, 3);
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1);
    await stage.remove(endpoint);
  });

  it('disables a webhook that answers 410, gives up what waits, and tells the others', async () => {
    const [gone, other] = [await stage.receiver(status(410)), await stage.receiver()];
    const { uuid: endpoint } = await stage.create(gone.url);
    const { uuid: otherEndpoint } = await stage.create(other.url, { events: ['webhook.disabled'] });
    const { uuid } = await stage.ping(endpoint);
    const disabled = await until(
      () => stage.webhook(endpoint),
      (one) => !one.enabled,
    );
    assert.equal(disabled.disabled_reason, 'It answered 410 Gone.');
    assert.equal((await stage.delivery(uuid)).status, 'FAILED');
    const [told] = await until(
      () => other.received,
      (all) => all.length > 0,
    );
    assert.deepEqual([JSON.parse(told!.body).type, JSON.parse(told!.body).data.uuid], ['webhook.disabled', endpoint]);
    const story = await eventsOf(app.deps.db, app.accountId, endpoint).execute();
    assert.deepEqual(story.map(({ kind }) => kind).sort(), ['webhook.created', 'webhook.disabled']);
    for (const address of [`/v2/chatapp/webhooks/${endpoint}/test/`, `/v2/webhook-deliveries/${uuid}/redeliver/`]) {
      const refused = await app.call('POST', address);
      assert.deepEqual([refused.status, refused.body.code], [409, 'webhook_disabled']);
    }
    const revived = await app.call('PATCH', `/v2/chatapp/webhooks/${endpoint}/`, { enabled: true });
    assert.deepEqual([revived.body.enabled, revived.body.disabled_reason], [true, '']);
    await Promise.all([endpoint, otherEndpoint].map(stage.remove));
  });

  it('disables a webhook after five days of nothing but failures, and not before', async () => {
    const receiver = await stage.receiver(status(500));
    const { uuid: endpoint } = await stage.create(receiver.url);
    const { uuid: one } = await stage.ping(endpoint);
    await stage.attempted(one, 1);
    stage.pass(4 * dayMs);
    await stage.attempted(one, 2);
    assert.equal((await stage.webhook(endpoint)).enabled, true);
    stage.pass(dayMs);
    await until(
      () => stage.webhook(endpoint),
      (now) => now.disabled_reason.includes('five days'),
    );
    assert.equal((await stage.delivery(one)).status, 'FAILED');
    await stage.remove(endpoint);
  });

  it('leaves a webhook alone as long as its Retry-After says', async () => {
    const receiver = await stage.receiver(status(429, { 'retry-after': '600' }));
    const { uuid: endpoint } = await stage.create(receiver.url);
    const { uuid } = await stage.ping(endpoint);
    await stage.attempted(uuid, 1);
    const { uuid: second } = await stage.ping(endpoint);
    receiver.answering = (answer) => answer.end();
    stage.pass(5 * minuteMs);
    // Another endpoint is served meanwhile: the worker has looked, and left this one alone.
    const other = await stage.receiver();
    const { uuid: otherEndpoint } = await stage.create(other.url);
    await stage.attempted((await stage.ping(otherEndpoint)).uuid, 1);
    assert.equal(receiver.received.length, 1);
    stage.pass(6 * minuteMs);
    await stage.attempted(second, 1);
    await stage.attempted(uuid, 2);
    await Promise.all([endpoint, otherEndpoint].map(stage.remove));
  });

  it('serves the others while one webhook hangs', async () => {
    const [hanging, quick] = [await stage.receiver(() => {}), await stage.receiver()];
    const { uuid: endpoint } = await stage.create(hanging.url);
    for (let count = 0; count < 60; count++) await stage.announceStatus({ count });
    await stage.heard(hanging, 1);
    const { uuid: other } = await stage.create(quick.url);
    for (let count = 0; count < 60; count++) await stage.announceStatus({ count });
    await stage.heard(quick, 60);
    assert.ok(hanging.received.length <= 4, 'a few requests at most are waiting for its answer');
    // Whoever deletes it is not kept waiting either.
    assert.equal((await stage.remove(endpoint)).status, 204);
    await stage.remove(other);
  });

  it('holds what waits for a webhook while its owner has it disabled', async () => {
    const receiver = await stage.receiver(status(500));
    const { uuid: endpoint } = await stage.create(receiver.url);
    const { uuid } = await stage.ping(endpoint);
    await stage.attempted(uuid, 1);
    const enable = (enabled: boolean) => app.call('PATCH', `/v2/chatapp/webhooks/${endpoint}/`, { enabled });
    await enable(false);
    receiver.answering = (answer) => answer.end();
    stage.pass(minuteMs);
    await stage.announceStatus({ heard: false });
    assert.equal((await stage.delivery(uuid)).status, 'PENDING');
    await enable(true);
    await stage.attempted(uuid, 2);
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1);
    await stage.remove(endpoint);
  });

  it('records what went wrong when no answer came', async () => {
    const { uuid: endpoint } = await stage.create('http://127.0.0.1:1/');
    const failed = await stage.attempted((await stage.ping(endpoint)).uuid, 1);
    assert.equal(failed.last_status_code, null);
    assert.match(failed.last_error, /ECONNREFUSED/);
    await stage.remove(endpoint);
  });
});
