import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { until } from '../../../test/kit/until.ts';
import { type Received, startStage, status } from '../../../test/kit/webhooks/receiver.ts';
import { makeGuard } from '../../platform/outbound/guard.ts';
import { eventsOf } from '../timeline/index.ts';
import { callbackUrlErrors } from './index.ts';
import { tasks } from './retention.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

describe('Callbacks', () => {
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

  const secretOf = async (token = app.token): Promise<string> => {
    const made = await app.call('POST', '/v2/account/callback-secret/', undefined, { token });
    assert.equal(made.status, 201);
    return made.body.secret;
  };
  const opens = ({ headers, body }: Received, secret: string): boolean => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };
  const deliveriesTo = async (url: string, token = app.token) => {
    const { results } = (await app.call('GET', '/v2/webhook-deliveries/?page_size=200', undefined, { token })).body;
    return results.filter((one: { url: string }) => one.url === url);
  };
  const settled = (url: string, status: string) =>
    until(
      async () => (await deliveriesTo(url))[0],
      (one) => one?.status === status,
    );
  const endpoint = (url: string) =>
    app.deps.db.selectFrom('webhook_endpoints').selectAll().where('url', '=', url).executeTakeFirstOrThrow();
  const tidy = () => tasks.find(({ name }) => name === 'webhooks.tidy')!.handler(app.deps, [{}]);

  it('an event goes to its address though no webhook listens, signed as standardwebhooks verifies', async () => {
    const receiver = await stage.receiver();
    const secret = await secretOf();
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    await stage.announceStatus({ status: 'SENT' }, { callbackUrl: receiver.url });
    await stage.heard(receiver, 1);
    const [got] = receiver.received as [Received];
    const opened = new Webhook(secret).verify(got.body, got.headers as Record<string, string>);
    assert.deepEqual((opened as { data: object }).data, { status: 'SENT' });
    const done = await settled(receiver.url, 'SUCCEEDED');
    assert.deepEqual([done.event, done.attempt_count], [got.headers['webhook-id'], 1]);
  });

  it('an event with an address and a webhook goes to both, under one id', async () => {
    const [receiver, listener] = [await stage.receiver(), await stage.receiver()];
    const { uuid } = await stage.create(listener.url);
    await stage.announceStatus({ n: 1 }, { callbackUrl: receiver.url });
    await stage.announceStatus({ n: 2 });
    await Promise.all([stage.heard(receiver, 1), stage.heard(listener, 2)]);
    const ids = new Set(listener.received.map(({ headers }) => headers['webhook-id']));
    assert.ok(ids.has(receiver.received[0]!.headers['webhook-id']));
    assert.deepEqual([ids.size, receiver.received.length], [2, 1]);
    await stage.remove(uuid);
  });

  it('two accounts with one address have secrets of their own', async () => {
    const receiver = await stage.receiver();
    const [secret, otherSecret] = [await secretOf(), await secretOf(app.otherToken)];
    const { uuid: otherAccount } = (await app.call('GET', '/v2/account/', undefined, { token: app.otherToken })).body;
    await stage.announceStatus({ whose: 'ours' }, { callbackUrl: receiver.url });
    await stage.announceStatus({ whose: 'theirs' }, { callbackUrl: receiver.url, accountId: otherAccount });
    await stage.heard(receiver, 2);
    const [ours, theirs] = ['ours', 'theirs'].map(
      (whose) => receiver.received.find(({ body }) => JSON.parse(body).data.whose === whose)!,
    ) as [Received, Received];
    assert.deepEqual([opens(ours, secret), opens(ours, otherSecret)], [true, false]);
    assert.deepEqual([opens(theirs, secret), opens(theirs, otherSecret)], [false, true]);
    assert.equal((await deliveriesTo(receiver.url)).length, 1);
    assert.equal((await deliveriesTo(receiver.url, app.otherToken)).length, 1);
  });

  it('a secret is there before anybody asks, and after a rotation signs on for a day', async () => {
    const receiver = await stage.receiver();
    const before = await secretOf();
    const after = await secretOf();
    stage.backToNow();
    await stage.announceStatus({ day: 1 }, { callbackUrl: receiver.url });
    await stage.heard(receiver, 1);
    assert.deepEqual([opens(receiver.received[0]!, before), opens(receiver.received[0]!, after)], [true, true]);
    await app.deps.db.deleteFrom('callback_secrets').where('account_id', '=', app.accountId).execute();
    const other = await stage.receiver();
    await stage.announceStatus({ day: 2 }, { callbackUrl: other.url });
    await stage.heard(other, 1);
    assert.match(String(other.received[0]!.headers['webhook-signature']), /^v1,\S+$/);
    const later = await secretOf();
    assert.ok(!opens(other.received[0]!, later), 'nobody knew it, and nobody will');
  });

  it('is tried again like a webhook, and sent again by hand', async () => {
    const receiver = await stage.receiver(status(500));
    await stage.announceStatus({ again: true }, { callbackUrl: receiver.url });
    const [{ uuid }] = await until(
      () => deliveriesTo(receiver.url),
      ([one]) => one?.attempt_count === 1,
    );
    receiver.answering = (answer) => answer.end();
    stage.pass(7_000);
    await stage.ended(uuid, 'SUCCEEDED');
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1);
    assert.equal((await app.call('POST', `/v2/webhook-deliveries/${uuid}/redeliver/`)).status, 201);
    await stage.heard(receiver, 3);
  });

  it('an address that hangs delays no other, be it on the same host', async () => {
    const receiver = await stage.receiver((answer, { path }) => void (path === '/hook' && answer.end()));
    const hanging = Array.from({ length: 40 }, (_, n) => `${receiver.url}/hangs/${n}`);
    for (const callbackUrl of hanging) await stage.announceStatus({}, { callbackUrl });
    await until(
      () => receiver.received.length,
      (count) => count >= 8,
    );
    const listener = await stage.receiver();
    const { uuid } = await stage.create(listener.url);
    await stage.announceStatus({ n: 1 });
    await stage.heard(listener, 1);
    assert.ok(receiver.received.length <= 8, 'they have some of the places, and no more');
    await receiver.close();
    await app.deps.db.deleteFrom('webhook_queue').execute();
    await stage.remove(uuid);
  });

  it('has no place in the lists of webhooks, and cannot be addressed as one', async () => {
    const receiver = await stage.receiver();
    await stage.announceStatus({}, { callbackUrl: receiver.url });
    const { uuid, name } = await endpoint(receiver.url);
    for (const [collection, key] of [
      ['/v2/chatapp/webhooks/', uuid],
      ['/v2/number/webhooks/', name],
    ]) {
      const text = JSON.stringify((await app.call('GET', collection!)).body);
      assert.ok(!text.includes(receiver.url));
      assert.equal((await app.call('GET', `${collection}${key}/`)).status, 404);
      assert.equal((await app.call('DELETE', `${collection}${key}/`)).status, 404);
    }
    const one = await settled(receiver.url, 'SUCCEEDED');
    assert.equal((await app.call('GET', `/v2/webhook-deliveries/?webhook=${uuid}`)).body.results[0].uuid, one.uuid);
  });

  it('one that is gone is left alone for a day, then gets a fresh start', async () => {
    const receiver = await stage.receiver(status(410));
    await stage.announceStatus({}, { callbackUrl: receiver.url });
    await settled(receiver.url, 'FAILED');
    const { uuid } = await until(
      () => endpoint(receiver.url),
      (one) => !one.enabled,
    );
    const story = await eventsOf(app.deps.db, app.accountId, uuid).execute();
    assert.deepEqual(
      story.map(({ kind }) => kind),
      ['webhook.disabled'],
    );
    await stage.announceStatus({}, { callbackUrl: receiver.url });
    assert.equal((await deliveriesTo(receiver.url)).length, 1);
    await tidy();
    assert.equal((await endpoint(receiver.url)).enabled, false);
    const yesterday = new Date(Date.now() - dayMs - minuteMs).toISOString();
    await app.deps.db.updateTable('webhook_endpoints').set({ modified: yesterday }).where('uuid', '=', uuid).execute();
    await tidy();
    receiver.answering = (answer) => answer.end();
    await stage.announceStatus({}, { callbackUrl: receiver.url });
    await settled(receiver.url, 'SUCCEEDED');
  });

  it('an address is forgotten after a month, unless something waits for it, and made again when it is named', async () => {
    const [idle, busy] = [await stage.receiver(), await stage.receiver(status(500))];
    for (const { url: callbackUrl } of [idle, busy]) await stage.announceStatus({}, { callbackUrl });
    await settled(idle.url, 'SUCCEEDED');
    await stage.heard(busy, 1);
    const before = await endpoint(busy.url);
    const old = new Date(Date.now() - 31 * dayMs).toISOString();
    await app.deps.db.updateTable('webhook_endpoints').set({ created: old }).where('kind', '=', 'CALLBACK').execute();
    await tidy();
    await assert.rejects(endpoint(idle.url));
    assert.equal((await endpoint(busy.url)).uuid, before.uuid);
    await stage.announceStatus({}, { callbackUrl: idle.url });
    await stage.heard(idle, 2);
  });

  it('many events name one new address at once, and each arrives once', async () => {
    const receiver = await stage.receiver();
    const events = Array.from({ length: 30 }, (_, n) =>
      stage.announceStatus({ n }, { callbackUrl: `${receiver.url}?at=${n % 3}` }),
    );
    await Promise.all(events);
    await stage.heard(receiver, 30);
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 30);
    assert.equal(new Set(receiver.received.map(({ path }) => path)).size, 3);
  });

  it('private addresses are refused when they are named, and at the connection', async () => {
    const strict = { guards: { ...app.deps.guards, webhook: makeGuard([]) } };
    for (const host of ['127.0.0.1', '[::1]', '0x7f.1', '10.0.0.1', '169.254.169.254']) {
      assert.deepEqual(
        callbackUrlErrors(strict, `http://${host}/x`),
        ["This is not a public address. The server's setting WEBHOOK_ALLOW can allow it."],
        host,
      );
    }
    assert.equal(callbackUrlErrors(strict, 'https://example.com/x'), undefined);
    assert.equal(callbackUrlErrors(app.deps, 'http://127.0.0.1/x'), undefined);

    const closed = await startTestApp({ ROLES: 'api' }, { madeUpEvents: true });
    const guarded = startStage(closed);
    try {
      const receiver = await guarded.receiver();
      await guarded.announceStatus({}, { callbackUrl: receiver.url.replace('127.0.0.1', 'localhost') });
      const [one] = await until(
        async () => (await closed.call('GET', '/v2/webhook-deliveries/')).body.results,
        ([one]) => one?.attempt_count === 1,
      );
      assert.match(one.last_error, /is not a public address/);
      assert.equal(receiver.received.length, 0);
    } finally {
      await guarded.close();
      await closed.close();
    }
  });
});
