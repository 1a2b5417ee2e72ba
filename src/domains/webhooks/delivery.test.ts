import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../testing.ts';
import { eventsOf } from '../timeline/index.ts';
import { announce, startWebhookDelivery } from './index.ts';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}
type Answering = (answer: ServerResponse, request: Received) => void;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** What a receiver does by the specification: the signature of `id.timestamp.body`, one of the listed ones matching. */
function verifies({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(expected);
}

describe('Delivery of webhooks', () => {
  let app: TestApp;
  let worker: ReturnType<typeof startWebhookDelivery>;
  let offsetMs = 0;
  const undo: (() => Promise<unknown>)[] = [];
  const deps = () => ({ ...app.deps, clock: { now: () => new Date(Date.now() + offsetMs) } });
  const pass = (ms: number): void => {
    offsetMs += ms;
    worker.wake();
  };

  before(async () => {
    app = await startTestApp({ ROLES: 'api', WEBHOOK_ALLOW_PRIVATE: 'true' });
    worker = startWebhookDelivery(deps());
  });
  after(async () => {
    await Promise.all(undo.map((step) => step()));
    await worker.stop();
    await app.close();
  });

  /** A receiver whose answer can be changed, and what it got. */
  const startReceiver = async (answering: Answering = (answer) => answer.end()) => {
    const received: Received[] = [];
    const receiver = { received, answering, url: '' };
    const server = createServer(async (request, answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const got = { headers: request.headers, body: Buffer.concat(chunks).toString() };
      received.push(got);
      receiver.answering(answer, got);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    undo.push(async () => {
      server.close();
      server.closeAllConnections();
    });
    receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    return receiver;
  };
  const create = async (url: string, more = {}, collection = '/v2/chatapp/webhooks/') => {
    const answer = await app.call('POST', collection, { url, ...more });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  };
  const remove = (uuid: string) => app.call('DELETE', `/v2/chatapp/webhooks/${uuid}/`);
  const ping = async (uuid: string) => (await app.call('POST', `/v2/chatapp/webhooks/${uuid}/test/`)).body;
  const delivery = async (uuid: string) => (await app.call('GET', `/v2/webhook-deliveries/${uuid}/`)).body;
  const webhook = async (uuid: string) => (await app.call('GET', `/v2/chatapp/webhooks/${uuid}/`)).body;
  const until = async <T>(look: () => T | Promise<T>, holds: (value: T) => boolean): Promise<T> => {
    for (let tries = 0; tries < 400; tries++) {
      const value = await look();
      if (holds(value)) return value;
      await sleep(20);
    }
    return assert.fail(`never became so: ${JSON.stringify(await look())}`);
  };
  const attempted = (uuid: string, times: number) =>
    until(
      () => delivery(uuid),
      (one) => one.attempt_count >= times,
    );
  const ended = (uuid: string, status: string) =>
    until(
      () => delivery(uuid),
      (one) => one.status === status,
    );
  const heard = ({ received }: { received: Received[] }, count: number) =>
    until(
      () => received.length,
      (length) => length >= count,
    );
  const status =
    (code: number, headers = {}): Answering =>
    (answer) =>
      answer.writeHead(code, headers).end('no');
  const announceStatus = (data: object) =>
    announce(app.deps.db, deps(), [{ accountId: app.accountId, type: 'chatapp.message.status', data: { ...data } }]);

  it('sends an announced event once to each webhook that wants it, signed, and records the answer', async () => {
    const [first, second, third] = [await startReceiver(), await startReceiver(), await startReceiver()];
    const wanting = await create(first.url, { events: ['chatapp.message.status'] });
    const all = await create(second.url);
    const other = await create(third.url, { events: ['chatapp.message.received'] });
    await announceStatus({ status: 'SENT', text: 'grüße 👋' });
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
    const shown = await ended(list.body.results[0].uuid, 'SUCCEEDED');
    assert.deepEqual([shown.attempt_count, shown.next_attempt, shown.payload], [1, null, JSON.parse(got.body)]);
    assert.deepEqual([shown.attempts.length, shown.attempts[0].status_code], [1, 200]);
    assert.equal(third.received.length, 0);
    await Promise.all([wanting, all, other].map(({ uuid }) => remove(uuid)));
  });

  it('is announced with the transaction, or not at all', async () => {
    const receiver = await startReceiver();
    const { uuid } = await create(receiver.url);
    await assert.rejects(
      app.deps.db.transaction().execute(async (db) => {
        const event = { accountId: app.accountId, type: 'chatapp.message.status', data: { rolled: 'back' } } as const;
        await announce(db, deps(), [event]);
        throw new Error('no');
      }),
    );
    await announceStatus({ rolled: 'forward' });
    await heard(receiver, 1);
    assert.deepEqual(
      receiver.received.map(({ body }) => JSON.parse(body).data),
      [{ rolled: 'forward' }],
    );
    await remove(uuid);
  });

  it('tries again by its schedule with the same id and body, and a fresh timestamp', async () => {
    const receiver = await startReceiver(status(500));
    const { uuid: endpoint, secret } = await create(receiver.url);
    const { uuid } = await ping(endpoint);
    const first = await attempted(uuid, 1);
    assert.deepEqual([first.status, first.last_status_code], ['PENDING', 500]);
    assert.equal(first.attempts[0].response, 'no');
    assert.ok((await webhook(endpoint)).failing_since);
    pass(7_000);
    await attempted(uuid, 2);
    receiver.answering = (answer) => answer.writeHead(204).end();
    pass(2 * minuteMs);
    const last = await ended(uuid, 'SUCCEEDED');
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
    assert.equal((await webhook(endpoint)).failing_since, null);
    await remove(endpoint);
  });

  it('gives up after the last attempt, and sends again by hand', async () => {
    const receiver = await startReceiver(status(500));
    const { uuid: endpoint } = await create(receiver.url);
    const { uuid } = await ping(endpoint);
    await attempted(uuid, 1);
    await app.deps.db.updateTable('webhook_queue').set({ attempts: 10 }).where('delivery', '=', uuid).execute();
    pass(7_000);
    const failed = await ended(uuid, 'FAILED');
    assert.deepEqual([failed.next_attempt, failed.last_error], [null, 'The endpoint answered 500.']);
    receiver.answering = (answer) => answer.end();
    const again = await app.call('POST', `/v2/webhook-deliveries/${uuid}/redeliver/`);
    assert.deepEqual([again.status, again.body.status], [201, 'PENDING']);
    const done = await ended(uuid, 'SUCCEEDED');
    assert.equal(done.attempts.length, 3);
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1);
    await remove(endpoint);
  });

  it('disables a webhook that answers 410, gives up what waits, and tells the others', async () => {
    const [gone, other] = [await startReceiver(status(410)), await startReceiver()];
    const { uuid: endpoint } = await create(gone.url);
    const { uuid: otherEndpoint } = await create(other.url, { events: ['webhook.disabled'] });
    const { uuid } = await ping(endpoint);
    const disabled = await until(
      () => webhook(endpoint),
      (one) => !one.enabled,
    );
    assert.equal(disabled.disabled_reason, 'It answered 410 Gone.');
    assert.equal((await delivery(uuid)).status, 'FAILED');
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
    await Promise.all([endpoint, otherEndpoint].map(remove));
  });

  it('disables a webhook after five days of nothing but failures, and not before', async () => {
    const receiver = await startReceiver(status(500));
    const { uuid: endpoint } = await create(receiver.url);
    const { uuid: one } = await ping(endpoint);
    await attempted(one, 1);
    pass(4 * dayMs);
    await attempted(one, 2);
    assert.equal((await webhook(endpoint)).enabled, true);
    pass(dayMs);
    await until(
      () => webhook(endpoint),
      (now) => now.disabled_reason.includes('five days'),
    );
    assert.equal((await delivery(one)).status, 'FAILED');
    await remove(endpoint);
  });

  it('leaves a webhook alone as long as its Retry-After says', async () => {
    const receiver = await startReceiver(status(429, { 'retry-after': '600' }));
    const { uuid: endpoint } = await create(receiver.url);
    const { uuid } = await ping(endpoint);
    await attempted(uuid, 1);
    const { uuid: second } = await ping(endpoint);
    receiver.answering = (answer) => answer.end();
    pass(5 * minuteMs);
    // Another endpoint is served meanwhile: the worker has looked, and left this one alone.
    const other = await startReceiver();
    const { uuid: otherEndpoint } = await create(other.url);
    await attempted((await ping(otherEndpoint)).uuid, 1);
    assert.equal(receiver.received.length, 1);
    pass(6 * minuteMs);
    await attempted(second, 1);
    await attempted(uuid, 2);
    await Promise.all([endpoint, otherEndpoint].map(remove));
  });

  it('serves the others while one webhook hangs', async () => {
    const [hanging, quick] = [await startReceiver(() => {}), await startReceiver()];
    const { uuid: endpoint } = await create(hanging.url);
    for (let count = 0; count < 60; count++) await announceStatus({ count });
    await heard(hanging, 1);
    const { uuid: other } = await create(quick.url);
    for (let count = 0; count < 60; count++) await announceStatus({ count });
    await heard(quick, 60);
    assert.ok(hanging.received.length <= 4, 'a few requests at most are waiting for its answer');
    // Whoever deletes it is not kept waiting either.
    assert.equal((await remove(endpoint)).status, 204);
    await remove(other);
  });

  it('signs with both secrets for a day after a rotation', async () => {
    const receiver = await startReceiver();
    const { uuid: endpoint, secret } = await create(receiver.url);
    const rotated = await app.call('POST', `/v2/chatapp/webhooks/${endpoint}/rotate-secret/`);
    assert.equal(rotated.status, 200);
    assert.notEqual(rotated.body.secret, secret);
    offsetMs = 0;
    await attempted((await ping(endpoint)).uuid, 1);
    pass(dayMs + minuteMs);
    await attempted((await ping(endpoint)).uuid, 1);
    const [during, after] = receiver.received as [Received, Received];
    assert.deepEqual([verifies(during, secret), verifies(during, rotated.body.secret)], [true, true]);
    assert.deepEqual([verifies(after, secret), verifies(after, rotated.body.secret)], [false, true]);
    await remove(endpoint);
  });

  it('sends again what a worker had claimed when it died', async () => {
    const receiver = await startReceiver();
    const { uuid: endpoint } = await create(receiver.url);
    await app.deps.db.transaction().execute(async (db) => {
      await announce(db, deps(), [{ accountId: app.accountId, type: 'optout.changed', data: {} }]);
      await sql`update webhook_queue set claimed_by = 1, claimed_at = now() - interval '1 minute'
        where endpoint = ${endpoint}`.execute(db);
    });
    await heard(receiver, 1);
    await remove(endpoint);
  });

  it('holds what waits for a webhook while its owner has it disabled', async () => {
    const receiver = await startReceiver(status(500));
    const { uuid: endpoint } = await create(receiver.url);
    const { uuid } = await ping(endpoint);
    await attempted(uuid, 1);
    const enable = (enabled: boolean) => app.call('PATCH', `/v2/chatapp/webhooks/${endpoint}/`, { enabled });
    await enable(false);
    receiver.answering = (answer) => answer.end();
    pass(minuteMs);
    await announceStatus({ heard: false });
    assert.equal((await delivery(uuid)).status, 'PENDING');
    await enable(true);
    await attempted(uuid, 2);
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1);
    await remove(endpoint);
  });

  it('records what went wrong when no answer came', async () => {
    const { uuid: endpoint } = await create('http://127.0.0.1:1/');
    const failed = await attempted((await ping(endpoint)).uuid, 1);
    assert.equal(failed.last_status_code, null);
    assert.match(failed.last_error, /ECONNREFUSED/);
    await remove(endpoint);
  });

  it('sends events of a number to the webhooks which that number names, and to no others', async () => {
    const [named, unnamed, chatapp] = [await startReceiver(), await startReceiver(), await startReceiver()];
    const { secret } = await create(named.url, { name: 'crm' }, '/v2/number/webhooks/');
    await create(unnamed.url, { name: 'other' }, '/v2/number/webhooks/');
    const { uuid } = await create(chatapp.url);
    const bought = await app.call('POST', '/v2/number/', { country_code: 'GB', webhooks: ['crm'] });
    assert.deepEqual([bought.status, bought.body.webhooks], [201, ['crm']]);
    await app.call('POST', '/v2/number/', { country_code: 'GB' });

    const inUse = await app.call('DELETE', '/v2/number/webhooks/crm/');
    assert.deepEqual([inUse.status, inUse.body.code], [409, 'webhook_in_use']);
    assert.equal((await app.call('DELETE', `/v2/number/${bought.body.number}/`)).status, 204);
    await heard(named, 2);
    const events = named.received.map(({ body }) => JSON.parse(body)).sort((a, b) => (a.type < b.type ? -1 : 1));
    assert.deepEqual(
      events.map(({ type }) => type),
      ['number.assigned', 'number.released'],
    );
    assert.deepEqual(events[0].data, bought.body);
    assert.equal(events[1].data.number, bought.body.number);
    assert.ok(named.received.every((got) => verifies(got, secret)));

    // What is queued later has been sent by then.
    await attempted((await app.call('POST', '/v2/number/webhooks/other/test/')).body.uuid, 1);
    await attempted((await ping(uuid)).uuid, 1);
    assert.deepEqual([unnamed.received.length, chatapp.received.length], [1, 1]);
    assert.equal((await app.call('DELETE', '/v2/number/webhooks/crm/')).status, 204);
  });
});
