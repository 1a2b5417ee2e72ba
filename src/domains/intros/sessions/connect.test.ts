import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import Fastify from 'fastify';
import { Registry } from 'prom-client';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { makeIntro, makeSession, openAs, phone, sessionOf, told } from '../../../../test/kit/intros/make-intro.ts';
import { until } from '../../../../test/kit/until.ts';
import { makeCaches } from '../../../platform/caches.ts';
import { makeEarlyAnswers } from '../../../platform/http/wire/early.ts';
import { makeBatches } from '../../../platform/work/batches.ts';
import { serveLinks } from '../open/serve.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const fields = {
  reference_id: 'REF-9',
  intro_message_template: 'Hello {{APartyDataContactName}}, about {{reference_id}}',
  intro_bparty_number: '+44 7700 900123',
  intro_message_aparty: 'It is {{APartyDataContactName}}: {{chat_link}}',
  meta_data: { crm: 7 },
};
const connections = (uuid: string) => told(app, uuid, 'chat_intro.connected');
const clicks = (uuid: string) => told(app, uuid, 'chat_intro.clicked');

describe("B's link", () => {
  it('leads to the chat with A, and the first person who opens it connects the session, once', async () => {
    const { uuid } = await makeIntro(app, fields);
    const session = await makeSession(app, uuid);
    const answer = await openAs(app, session.bparty, { host: 'parley.example' });
    assert.equal(answer.status, 302);
    const location = new URL(answer.headers.location);
    assert.equal(location.pathname, '/console/phone/%2B447700900555');
    assert.equal(location.searchParams.get('text'), 'Hello Ana, about REF-9');
    const after = await sessionOf(app, session.uuid);
    assert.equal(after.status, 'CONNECTED');
    assert.ok(after.connected_at);
    assert.deepEqual([after.aparty_connected_at, after.open], [null, true]);
    assert.deepEqual(await connections(uuid), [
      {
        session: session.uuid,
        aparty_number: '+44 7700 900555',
        digits: '447700900555',
        by: 'BPARTY',
        status: 'CONNECTED',
      },
    ]);

    assert.equal((await openAs(app, session.bparty)).status, 302);
    const [first] = await until(
      () => clicks(uuid),
      ({ length }) => length === 2,
    );
    assert.deepEqual([first!.link, first!.session], ['BPARTY', session.uuid]);
    assert.equal((await connections(uuid)).length, 1);
    assert.equal((await sessionOf(app, session.uuid)).connected_at, after.connected_at);
    const { opened_at } = await app.deps.db
      .selectFrom('intro_keys')
      .select('opened_at')
      .where('chat_intro', '=', uuid)
      .executeTakeFirstOrThrow();
    assert.equal(opened_at, null, 'the link of the intro itself was not opened');
  });

  it('connects by the time of the sender’s carrier', async () => {
    const { uuid } = await makeIntro(app, fields);
    await app.call('POST', '/v2/sandbox/clock/', { advance_seconds: 86_400 });
    // The clock is heard of a moment later.
    await until(
      async () => app.deps.carriers.get('sandbox').clock(app.accountId).now().getTime(),
      (now) => now > Date.now() + 3_600_000,
    );
    const session = await makeSession(app, uuid);
    await openAs(app, session.bparty);
    assert.ok(Date.parse((await sessionOf(app, session.uuid)).connected_at!) > Date.now() + 3_600_000);
  });

  it('for one use: of ten at the same moment one gets through, nine are told 410', async () => {
    const { uuid } = await makeIntro(app, { ...fields, bparty_expiry_link: true });
    const { bparty } = await makeSession(app, uuid);
    const answers = await Promise.all(Array.from({ length: 10 }, () => openAs(app, bparty)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [302, ...Array(9).fill(410)]);
    assert.equal((await connections(uuid)).length, 1);
    assert.equal((await openAs(app, bparty)).status, 410);
    await until(
      () => clicks(uuid),
      ({ length }) => length === 1,
    );
  });

  it('many at once on a link for any number of uses: all get through, and one connects', async () => {
    const { uuid } = await makeIntro(app, fields);
    const { bparty } = await makeSession(app, uuid);
    const answers = await Promise.all(Array.from({ length: 10 }, () => openAs(app, bparty)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([302]));
    assert.equal((await connections(uuid)).length, 1);
  });

  it('previews spend nothing and connect nobody', async () => {
    const { uuid } = await makeIntro(app, { ...fields, bparty_expiry_link: true });
    const session = await makeSession(app, uuid);
    const previews: Record<string, string>[] = [
      { 'user-agent': 'WhatsApp/2.24.6.77 A' },
      { 'user-agent': '' },
      { purpose: 'prefetch' },
    ];
    for (const headers of previews) {
      assert.equal((await openAs(app, session.bparty, headers)).status, 302);
    }
    const head = { token: null, headers: { 'user-agent': phone } };
    assert.equal((await app.call('HEAD', `/l/${session.bparty}`, undefined, head)).status, 302);
    assert.equal((await sessionOf(app, session.uuid)).connected_at, null);
    assert.deepEqual(await connections(uuid), []);
    assert.equal((await openAs(app, session.bparty)).status, 302);
    assert.equal((await openAs(app, session.bparty, { 'user-agent': 'WhatsApp/2.24.6.77 A' })).status, 410);
  });

  it('410 when the session has closed, and when the intro is deleted', async () => {
    const { uuid } = await makeIntro(app, fields);
    const closed = await makeSession(app, uuid, { open: false, status: 'EXPIRED' });
    for (const code of [closed.bparty, closed.aparty]) assert.equal((await openAs(app, code)).status, 410);
    assert.equal((await sessionOf(app, closed.uuid)).status, 'EXPIRED');
    const open = await makeSession(app, uuid);
    await app.call('DELETE', `/v2/chatapp/chat-intros/${uuid}/`);
    for (const code of [open.bparty, open.aparty]) assert.equal((await openAs(app, code)).status, 410);
    assert.equal((await sessionOf(app, open.uuid)).status, 'NOTIFIED');
    assert.deepEqual(await connections(uuid), []);
  });

  it('keeps what the intro said when the session began', async () => {
    const { uuid } = await makeIntro(app, fields);
    const { bparty } = await makeSession(app, uuid);
    await app.call('PATCH', `/v2/chatapp/chat-intros/${uuid}/`, { intro_message_template: 'Changed' });
    assert.match((await openAs(app, bparty)).headers.location, /text=Hello%20Ana/);
  });

  it('another process sees that it was used', async () => {
    const { uuid } = await makeIntro(app, { ...fields, bparty_expiry_link: true });
    const { bparty } = await makeSession(app, uuid);
    assert.equal((await openAs(app, bparty)).status, 302);
    const other = Fastify();
    makeEarlyAnswers({ idOf: () => '', newId: () => '', log: app.deps.log }).attach(other);
    const own = { caches: makeCaches(app.deps.listener), batches: makeBatches({ largest: 10, inFlight: 1 }) };
    serveLinks(other, { ...app.deps, ...own }, new Registry());
    const { statusCode } = await other.inject({ url: `/l/${bparty}`, headers: { 'user-agent': phone } });
    assert.equal(statusCode, 410);
    await other.close();
  });
});

describe("A's link", () => {
  it('leads to the chat with B, is noted once, and takes the session no further', async () => {
    const { uuid, code } = await makeIntro(app, fields);
    const session = await makeSession(app, uuid);
    for (let times = 0; times < 2; times++) {
      const location = new URL((await openAs(app, session.aparty, { host: 'parley.example' })).headers.location);
      assert.equal(location.pathname, '/console/phone/%2B447700900123');
      assert.equal(location.searchParams.get('text'), `It is Ana: http://parley.example/l/${code}`);
    }
    const after = await sessionOf(app, session.uuid);
    assert.ok(after.aparty_connected_at);
    assert.deepEqual([after.status, after.connected_at], ['NOTIFIED', null]);
    assert.deepEqual(await connections(uuid), [
      { session: session.uuid, aparty_number: '+44 7700 900555', digits: '447700900555', by: 'APARTY' },
    ]);
  });
});

describe('Webhooks', () => {
  it('hear of clicks and connections, with what the intro is known by', async () => {
    await app.call('POST', '/v2/chatapp/webhooks/', {
      url: 'https://hooks.example/intros',
      events: ['chat_intro.clicked', 'chat_intro.connected'],
    });
    const { uuid } = await makeIntro(app, fields);
    const session = await makeSession(app, uuid);
    await openAs(app, session.bparty);
    const payloads = await until(
      async () => {
        const rows = await app.deps.db.selectFrom('webhook_deliveries').select(['type', 'payload']).execute();
        const payloads = rows.map(({ type, payload }) => [type, JSON.parse(payload)] as const);
        return new Map(payloads.filter(([, { data }]) => data.chat_intro === uuid));
      },
      (found) => found.size === 2,
    );
    const about = {
      chat_intro: uuid,
      chatapp_number: '+44 20 7946 0011',
      reference_id: 'REF-9',
      meta_data: { crm: 7 },
    };
    const { visitor, ...clicked } = payloads.get('chat_intro.clicked').data;
    assert.match(visitor, /^[0-9a-f]{16}$/);
    assert.deepEqual(clicked, { link: 'BPARTY', session: session.uuid, ...about });
    const [connected] = await connections(uuid);
    assert.deepEqual(payloads.get('chat_intro.connected').data, { ...connected, ...about });
  });
});
