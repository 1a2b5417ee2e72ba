import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { newId } from '../../platform/ids.ts';
import { announce } from './announce.ts';
import { eventTypeNames } from './event-types.ts';

const url = 'https://example.com/hook';

describe('Webhooks', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' }, { madeUpEvents: true });
  });
  after(() => app.close());

  const shape = ['uuid', 'url', 'events', 'description', 'enabled', 'disabled_reason', 'failing_since'];
  shape.push('created', 'modified');

  for (const [collection, more] of [
    ['/v2/chatapp/webhooks/', []],
    ['/v2/number/webhooks/', ['name']],
    ['/v2/webhooks/', ['filter']],
  ] as const) {
    const key = more[0] === 'name' ? 'name' : 'uuid';
    const make = async (body: object = {}) => (await app.call('POST', collection, { url, ...body })).body;

    it(`POST ${collection} › 201 with defaults and, this once, the secret`, async () => {
      const made = await app.call('POST', collection, { url });
      assert.equal(made.status, 201);
      const { secret, ...rest } = made.body;
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      assert.deepEqual(Object.keys(rest).sort(), [...shape, ...more].sort());
      assert.deepEqual([rest.events, rest.description, rest.enabled], [['*'], '', true]);
      const address = `${collection}${rest[key]}/`;
      assert.deepEqual((await app.call('GET', address)).body, rest);
      assert.deepEqual((await app.call('GET', collection)).body.results[0], rest);
      const stored = await app.deps.db.selectFrom('webhook_endpoints').select('secret').execute();
      assert.ok(
        stored.every((row) => row.secret !== secret),
        'it is encrypted at rest',
      );
    });

    it(`POST, PUT, PATCH ${collection} › 400 for private addresses and wrong fields`, async () => {
      const address = `${collection}${(await make())[key]}/`;
      const hosts = ['127.0.0.1', '169.254.169.254', '[::1]', '0x7f.1', '2130706433', '10.0.0.1', '[::ffff:10.0.0.1]'];
      for (const host of hosts) {
        const body = { url: `http://${host}:9/hook` };
        const answers = await Promise.all([
          app.call('POST', collection, body),
          app.call('PUT', address, body),
          app.call('PATCH', address, body),
        ]);
        for (const answer of answers) {
          assert.deepEqual(
            [answer.status, answer.body],
            [400, { url: ["This is not a public address. The server's setting WEBHOOK_ALLOW can allow it."] }],
            host,
          );
        }
      }
      const wrong: [object, string][] = [
        [{}, 'url'],
        [{ url: 'ftp://example.com/' }, 'url'],
        [{ url, events: ['no.such'] }, 'events'],
        [{ url, events: [] }, 'events'],
        [{ url, enabled: 'maybe' }, 'enabled'],
      ];
      for (const [body, field] of wrong) {
        const answer = await app.call('POST', collection, body);
        assert.deepEqual([answer.status, Object.keys(answer.body)], [400, [field]], JSON.stringify(body));
      }
    });

    it(`PUT ${collection} › replaces; PATCH changes what it names; DELETE ends it`, async () => {
      const events = [key === 'name' ? 'sms.received' : 'optout.changed'];
      const made = await make({ events, description: 'CRM' });
      const address = `${collection}${made[key]}/`;
      const patched = (await app.call('PATCH', address, { enabled: false })).body;
      assert.deepEqual([patched.enabled, patched.events, patched.description], [false, events, 'CRM']);
      const put = (await app.call('PUT', address, { url: 'https://example.com/other' })).body;
      assert.deepEqual(
        [put.url, put.enabled, put.events, put.description],
        ['https://example.com/other', true, ['*'], ''],
      );
      assert.equal((await app.call('DELETE', address)).status, 204);
      assert.equal((await app.call('GET', address)).status, 404);
    });

    it(`${collection} › another tenant finds nothing`, async () => {
      const made = await make();
      const address = `${collection}${made[key]}/`;
      const token = app.otherToken;
      for (const [method, path, body] of [
        ['GET', address],
        ['PUT', address, { url }],
        ['PATCH', address, {}],
        ['DELETE', address],
        ['POST', `${address}test/`],
        ['POST', `${address}rotate-secret/`],
      ] as const) {
        assert.equal((await app.call(method, path, body, { token })).status, 404, `${method} ${path}`);
      }
      const ping = await app.call('POST', `${address}test/`);
      assert.deepEqual([ping.status, ping.body.status, ping.body.type], [201, 'PENDING', 'test.ping']);
      const delivery = `/v2/webhook-deliveries/${ping.body.uuid}/`;
      assert.equal((await app.call('GET', delivery, undefined, { token })).status, 404);
      assert.equal((await app.call('POST', `${delivery}redeliver/`, undefined, { token })).status, 404);
      assert.equal((await app.call('GET', '/v2/webhook-deliveries/', undefined, { token })).body.count, 0);
    });
  }

  it('POST /v2/number/webhooks/ › names are unique within the account, and only there', async () => {
    const name = 'billing';
    assert.equal((await app.call('POST', '/v2/number/webhooks/', { name, url })).status, 201);
    const again = await app.call('POST', '/v2/number/webhooks/', { name, url });
    assert.deepEqual([again.status, again.body], [400, { name: ['This field must be unique.'] }]);
    const other = await app.call('POST', '/v2/number/webhooks/', { name, url }, { token: app.otherToken });
    assert.equal(other.status, 201);
    for (const bad of ['', 'a/b', '.', '-a', 'a b', 'x'.repeat(101)]) {
      const answer = await app.call('POST', '/v2/number/webhooks/', { name: bad, url });
      assert.deepEqual([answer.status, Object.keys(answer.body)], [400, ['name']], bad);
    }
  });

  it('DELETE › what waits for the webhook is cancelled, and can still be read', async () => {
    const { uuid } = (await app.call('POST', '/v2/chatapp/webhooks/', { url })).body;
    const ping = (await app.call('POST', `/v2/chatapp/webhooks/${uuid}/test/`)).body;
    await app.call('DELETE', `/v2/chatapp/webhooks/${uuid}/`);
    const { body } = await app.call('GET', `/v2/webhook-deliveries/${ping.uuid}/`);
    assert.deepEqual([body.status, body.last_error], ['CANCELLED', 'The webhook was deleted.']);
    const queued = await app.deps.db.selectFrom('webhook_queue').selectAll().where('endpoint', '=', uuid).execute();
    assert.deepEqual(queued, []);
  });

  it('GET /v2/webhook-deliveries/ › filters by webhook, type and status', async () => {
    const { uuid } = (await app.call('POST', '/v2/chatapp/webhooks/', { url })).body;
    await app.call('POST', `/v2/chatapp/webhooks/${uuid}/test/`);
    const count = async (query: string) =>
      (await app.call('GET', `/v2/webhook-deliveries/?webhook=${uuid}&${query}`)).body.count;
    assert.deepEqual([await count(''), await count('type=test.ping'), await count('type=optout.changed')], [1, 1, 0]);
    assert.deepEqual([await count('status=PENDING'), await count('status=FAILED')], [1, 0]);
    assert.deepEqual([await count('retrying=true'), await count('retrying=false')], [0, 1]);
    const { db } = app.deps;
    await db
      .updateTable('webhook_deliveries')
      .set({ attempts: 1, status: 'PENDING' })
      .where('endpoint', '=', uuid)
      .execute();
    assert.deepEqual([await count('retrying=true'), await count('retrying=false')], [1, 0]);
    await db.updateTable('webhook_deliveries').set({ status: 'FAILED' }).where('endpoint', '=', uuid).execute();
    assert.deepEqual([await count('retrying=true'), await count('retrying=false')], [0, 1]);
    const bad = await app.call('GET', '/v2/webhook-deliveries/?retrying=maybe');
    assert.deepEqual([bad.status, Object.keys(bad.body)], [400, ['retrying']]);
  });

  it('GET /v2/webhook-deliveries/ › filters by what the event tells of', async () => {
    const { uuid } = (await app.call('POST', '/v2/chatapp/webhooks/', { url })).body;
    const [message, intro, call, session] = [newId(), newId(), newId(), newId()];
    await announce(app.deps.db, app.deps, [
      { accountId: app.accountId, type: 'chatapp.message.status', data: { uuid: message, status: 'SENT' } },
      { accountId: app.accountId, type: 'chatapp.message.status', data: { uuid: message, status: 'DELIVERED' } },
      { accountId: app.accountId, type: 'chatapp.flow.answered', data: { answers: {}, message: { uuid: message } } },
      { accountId: app.accountId, type: 'chat_intro.replied', data: { chat_intro: intro, session, message } },
      { accountId: app.accountId, type: 'insight.missed_call', data: { call, caller: '+447700900123' } },
      { accountId: app.accountId, type: 'optout.changed', data: { phone_number: '+447700900123' } },
    ]);
    const found = async (subject: string, token = app.token) => {
      const query = `/v2/webhook-deliveries/?webhook=${uuid}&subject=${subject}`;
      const { results } = (await app.call('GET', query, undefined, { token })).body;
      assert.ok(results.every((one: { subject: string }) => one.subject === subject));
      return results.map(({ type }: { type: string }) => type);
    };
    const status = 'chatapp.message.status';
    assert.deepEqual((await found(message)).toSorted(), ['chatapp.flow.answered', status, status]);
    assert.deepEqual(await found(intro), ['chat_intro.replied']);
    assert.deepEqual(await found(call), ['insight.missed_call']);
    assert.deepEqual(await found(newId()), []);
    assert.deepEqual(await found(message, app.otherToken), []);
    const bad = await app.call('GET', '/v2/webhook-deliveries/?subject=x');
    assert.deepEqual([bad.status, Object.keys(bad.body)], [400, ['subject']]);
  });

  it('GET /v2/webhook-types/ › every type with its description', async () => {
    const { body } = await app.call('GET', '/v2/webhook-types/');
    assert.deepEqual(
      body.results.map(({ name }: { name: string }) => name),
      eventTypeNames,
    );
    assert.equal(body.count, eventTypeNames.length);
  });
});
