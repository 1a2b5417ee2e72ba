// The setting `sandbox` of an account: what it lets through, and that the first live registration changes it.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { resolveSenders } from '../../src/domains/chatapp-accounts/index.ts';
import { makeCaches } from '../../src/platform/caches.ts';
import { startListener } from '../../src/platform/db/connect/listener.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';

const person = '+447700900123';
const account = '/v2/account/';
const senders = '/v2/chatapp/accounts/';
const links = '/v2/sms-links/';
const trunks = '/v2/sip-trunks/';
const cloud = {
  carrier: 'cloud-api',
  phone_number_id: '1',
  business_account_id: '2',
  app_id: '3',
  access_token: 'a',
  app_secret: 'b',
  verify_token: 'c',
};
const smpp = { host: 'smsc.example.com', system_id: 'a', password: 'b' };
const trunk = { host: 'sip.example.com' };

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

let last = 1000;
const newNumber = (): string => `+44207946${++last}`;
const setSandbox = async (sandbox: string) => {
  const { status, body } = await app.call('PATCH', account, { sandbox });
  assert.deepEqual([status, body.sandbox], [200, sandbox]);
};
const sandboxNow = async (token?: string) =>
  (await app.call('GET', account, undefined, token ? { token } : {})).body.sandbox;
const send = (chatapp_number: string, template_name = 'hello', token?: string) =>
  app.call(
    'POST',
    '/v2/chatapp/messages/',
    { chatapp_number, to_chatapp_number: person, type: 'TEMPLATE', template: { template_name } },
    token ? { token } : {},
  );
const sms = (from: string) => app.call('POST', '/v2/send-sms/', { from, to: person, text: 'Hello' });
const call = (from: string) => app.call('POST', '/v2/voice/calls/', { from, to: person, tts: 'Hello' });
/** As on the first day: nothing is live, and everything unknown is adopted. */
const startAnew = async () => {
  const { db, caches } = app.deps;
  for (const table of ['sms_links', 'sip_trunks'] as const) {
    await db.deleteFrom(table).where('account_id', '=', app.accountId).execute();
  }
  await db
    .updateTable('accounts')
    .set({ sandbox: 'adopt', live_since: null })
    .where('uuid', '=', app.accountId)
    .execute();
  caches.forget();
};

beforeEach(startAnew);

describe('sandbox: adopt', () => {
  test('is what an account begins with, and takes into use what nobody registered', async () => {
    assert.deepEqual([await sandboxNow(), await sandboxNow(app.otherToken)], ['adopt', 'adopt']);
    const number = newNumber();
    assert.equal((await send(number)).status, 201);
    assert.equal((await sms(newNumber())).status, 201);
    assert.equal((await call(newNumber())).status, 201);
    const { results } = (await app.call('GET', `${senders}?chatapp_number=${encodeURIComponent(number)}`)).body;
    assert.deepEqual([results[0].carrier, results[0].adopted], ['sandbox', true]);
  });

  test('400 at its field for another word', async () => {
    const { status, body } = await app.call('PATCH', account, { sandbox: 'on' });
    assert.deepEqual([status, Object.keys(body)], [400, ['sandbox']]);
  });
});

describe('sandbox: registered', () => {
  test('an unknown sender is a 400 at its field, for everything that names one', async () => {
    await setSandbox('registered');
    const number = newNumber();
    const refusal = { chatapp_number: ['No chat-app account has this number.'] };
    assert.deepEqual((await send(number)).body, refusal);
    for (const [url, body] of [
      ['/v2/chatapp/chat-intros/', { name: 'a', expected_message: 'b', reply_type: 'TEXT', reply_data: { body: 'c' } }],
      ['/v2/chatapp/leads/', { phone_number: person }],
      ['/v2/chatapp/flows/', { name: 'a', category: 'OTHER' }],
    ] as const) {
      const answer = await app.call('POST', url, { chatapp_number: number, ...body });
      assert.equal(answer.status, 400, `${url} ${JSON.stringify(answer.body)}`);
      assert.deepEqual(answer.body.chatapp_number, refusal.chatapp_number, url);
    }
    const { body } = await app.call('GET', `${senders}?chatapp_number=${encodeURIComponent(number)}`);
    assert.deepEqual(body.results, [], 'nothing was adopted');
  });

  test('an adopted sender works no more until it is registered, and is the same one then', async () => {
    const number = newNumber();
    await send(number);
    await setSandbox('registered');
    const sentence = 'This number was tried out in the sandbox and never registered.';
    assert.deepEqual((await send(number)).body, { chatapp_number: [sentence] });
    const written = await app.call('POST', '/v2/sandbox/chatapp/messages/', {
      from: person,
      to: number,
      text: { body: 'Hello' },
    });
    assert.deepEqual([written.status, written.body], [400, { to: ['This number is not on the sandbox.'] }]);
    const { results } = (await app.call('GET', `${senders}?chatapp_number=${encodeURIComponent(number)}`)).body;
    const registered = await app.call('POST', senders, { chatapp_number: number, carrier: 'sandbox' });
    assert.deepEqual([registered.status, registered.body.uuid, registered.body.adopted], [201, results[0].uuid, false]);
    assert.equal((await send(number)).status, 201);
    assert.equal((await app.call('POST', senders, { chatapp_number: number })).status, 400, 'now it is registered');
  });

  test('a template that nobody registered is a 400', async () => {
    const number = newNumber();
    await app.call('POST', senders, { chatapp_number: number });
    await setSandbox('registered');
    const { status, body } = await send(number, 'never_seen');
    assert.deepEqual(
      [status, body],
      [400, { template: { template_name: ['No approved template has this name and language.'] } }],
    );
  });

  test('SMS need a link that was registered, and a sender of one’s own', async () => {
    await sms(newNumber());
    await setSandbox('registered');
    assert.deepEqual((await sms(newNumber())).body, { non_field_errors: ['The account has no SMS link.'] });
    assert.equal((await app.call('POST', links, { carrier: 'sandbox', name: 'to try' })).status, 201);
    assert.deepEqual(Object.keys((await sms(newNumber())).body), ['from']);
    await setSandbox('adopt');
    const { number } = (await app.call('POST', '/v2/number/', { country_code: 'GB' })).body;
    await setSandbox('registered');
    assert.equal((await sms(number)).status, 201);
  });

  test('calls leave from numbers of one’s own, and come to them', async () => {
    const { number } = (await app.call('POST', '/v2/number/', { country_code: 'GB' })).body;
    await setSandbox('registered');
    assert.deepEqual(Object.keys((await call(newNumber())).body), ['from']);
    assert.equal((await call(number)).status, 201);
    const ring = (to: string) => app.call('POST', '/v2/sandbox/calls/', { from: person, to });
    assert.equal((await ring(number)).status, 201);
    assert.deepEqual((await ring(newNumber())).body, { to: ['This number is not on the sandbox.'] });
  });
});

describe('sandbox: off', () => {
  test('registering on it is a 400, what is registered refuses to send, and its operations are 403', async () => {
    const number = newNumber();
    const { uuid } = (await app.call('POST', senders, { chatapp_number: number })).body;
    await app.call('POST', links, { carrier: 'sandbox', name: 'a trial' });
    await setSandbox('off');
    const sentence = 'The sandbox of this account is off.';
    for (const answer of [
      await app.call('POST', senders, { chatapp_number: newNumber() }),
      await app.call('POST', senders, { chatapp_number: newNumber(), carrier: 'sandbox' }),
      await app.call('POST', links, { carrier: 'sandbox', name: 'another' }),
    ]) {
      assert.deepEqual([answer.status, answer.body], [400, { carrier: [sentence] }]);
    }
    assert.deepEqual((await send(number)).body, { chatapp_number: [sentence] });
    assert.deepEqual((await sms(newNumber())).body, { non_field_errors: ['The account has no SMS link.'] });
    assert.deepEqual((await call(newNumber())).body, { non_field_errors: ['The account has no voice link.'] });
    for (const [method, url, body] of [
      ['POST', '/v2/sandbox/chatapp/messages/', { from: person, to: number, text: { body: 'Hello' } }],
      ['POST', '/v2/sandbox/sms/', { from: person, to: number, text: 'Hello' }],
      ['POST', '/v2/sandbox/calls/', { from: person, to: number }],
      ['GET', `/v2/sandbox/phones/${person}/`, undefined],
      ['GET', '/v2/sandbox/clock/', undefined],
    ] as const) {
      const answer = await app.call(method, url, body);
      assert.deepEqual([answer.status, answer.body.code], [403, 'sandbox_off'], url);
    }
    assert.equal(
      (await app.call('POST', senders, { chatapp_number: newNumber(), ...cloud })).status,
      201,
      'live ones work',
    );
    const back = await app.call('PATCH', `${senders}${uuid}/`, { carrier: 'sandbox', name: 'x' });
    assert.equal(back.status, 200, 'it is there already');
  });

  test('another tenant’s sandbox is untouched', async () => {
    await setSandbox('off');
    assert.equal((await send(newNumber(), 'hello', app.otherToken)).status, 201);
    assert.equal((await app.call('GET', '/v2/sandbox/clock/', undefined, { token: app.otherToken })).status, 200);
  });
});

describe('the first live registration', () => {
  const registrations = [
    ['a sender', senders, () => ({ chatapp_number: newNumber(), ...cloud })],
    ['an SMS link', links, () => ({ ...smpp, name: newNumber() })],
    ['a trunk', trunks, () => ({ ...trunk, name: newNumber() })],
  ] as const;

  for (const [what, url, body] of registrations) {
    test(`${what} makes \`adopt\` \`registered\`, and the answer, the timeline and GET say so`, async () => {
      const first = await app.call('POST', url, body());
      assert.equal(first.status, 201, JSON.stringify(first.body));
      assert.match(String(first.headers['parley-warnings']), /^"This is the first live sender.*`registered`.*"$/);
      assert.deepEqual([await sandboxNow(), await sandboxNow(app.otherToken)], ['registered', 'adopt']);
      const { results } = (await app.call('GET', `/v2/events/?subject=${app.accountId}`)).body;
      assert.deepEqual(
        [results[0].kind, results[0].data],
        ['account.sandbox_left', { sandbox: 'registered', before: 'adopt' }],
      );
      assert.equal((await send(newNumber())).status, 400, 'a typo is an error at once');
      const second = await app.call('POST', url, body());
      assert.deepEqual([second.status, second.headers['parley-warnings']], [201, undefined]);
    });
  }

  test('with an Idempotency-Key the warning comes again with the answer', async () => {
    const headers = { 'idempotency-key': 'first trunk' };
    const body = { ...trunk, name: 'once' };
    const first = await app.call('POST', trunks, body, { headers });
    const again = await app.call('POST', trunks, body, { headers });
    assert.equal(again.headers['idempotent-replayed'], 'true');
    assert.equal(again.headers['parley-warnings'], first.headers['parley-warnings']);
    assert.notEqual(first.headers['parley-warnings'], undefined);
  });

  test('of several at once, one finds that it is the first', async () => {
    const answers = await Promise.all(
      registrations.flatMap(([, url, body]) => [app.call('POST', url, body()), app.call('POST', url, body())]),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 201),
    );
    assert.equal(answers.filter(({ headers }) => headers['parley-warnings'] !== undefined).length, 1);
    assert.equal(await sandboxNow(), 'registered');
  });

  test('what is refused changes nothing', async () => {
    assert.equal((await app.call('POST', trunks, { ...trunk, register: true })).status, 400);
    assert.equal((await app.call('POST', senders, { chatapp_number: newNumber(), carrier: 'cloud-api' })).status, 400);
    assert.equal(await sandboxNow(), 'adopt');
  });

  test('a choice stays: `off` is not changed, nor is `adopt` that is set again', async () => {
    await setSandbox('off');
    const first = await app.call('POST', trunks, { ...trunk, name: newNumber() });
    assert.deepEqual([first.headers['parley-warnings'], await sandboxNow()], [undefined, 'off']);
    await setSandbox('adopt');
    await app.call('POST', trunks, { ...trunk, name: newNumber() });
    assert.equal(await sandboxNow(), 'adopt');
  });
});

test('every process hears of it: a sender that another one remembers is refused there', async () => {
  const listener = await startListener(app.connection, app.deps.log);
  try {
    const other = { ...app.deps, listener, caches: makeCaches(listener) };
    const sender = { accountId: app.accountId, chatappNumber: newNumber() };
    const resolve = async () => (await resolveSenders(other, [sender]))[0]?.chatapp_number;
    await send(sender.chatappNumber);
    assert.equal(await resolve(), sender.chatappNumber);
    await app.call('POST', trunks, { ...trunk, name: newNumber() });
    await until('the other process knows', async () => (await resolve()) === undefined || undefined);
    await setSandbox('adopt');
    await until('the other process knows', async () => (await resolve()) === sender.chatappNumber || undefined);
  } finally {
    await listener.close();
  }
});
