// Tokens that are bound to some numbers: whatever nobody thought of is closed to them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { routes } from '../../src/app.ts';
import { startTestApp, type TestAnswer, type TestApp } from '../kit/app.ts';
import { fromConsole } from '../kit/person.ts';

const [own, foreign, person] = ['+447700900001', '+447700900002', '+447700900123'];
const [ownNumber, foreignNumber] = ['+442079460001', '+442079460002'];
const idOfNothing = '01890000-0000-7000-8000-000000000000';

/** Whoever adds one decides how its requests are checked, and writes it into docs/accounts.md. */
const open = [
  ...['createMessage', 'listMessages', 'getMessage', 'cancelMessage', 'markMessageRead', 'listMessageStatusLogs'],
  ...['getMessageMedia', 'getSenderQueue', 'listChatappAccounts', 'getChatappAccount', 'listMessageTemplates'],
  ...['getMessageTemplate', 'sendSms', 'sendMultipleSms', 'getSms', 'listSmsStatusLogs', 'cancelSms', 'listSmsRecords'],
  ...['startCall', 'listCalls', 'getCall', 'hangUpCall', 'getCallRecording', 'listCallRecords', 'listVoiceCallLog'],
  ...['createMessageFeedback', 'createSmsFeedback'],
  ...['getNumber', 'updateNumber', 'partialUpdateNumber', 'getNumberInsights', 'getSession', 'deleteSession'],
];

describe('A token that is bound to some numbers', () => {
  let app: TestApp;
  let token: string;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
    for (const number of [ownNumber, foreignNumber]) await buy(number);
    const made = await app.call('POST', '/v2/auth/tokens/', {
      name: 'Bound',
      resources: [own, '+44 20 7946 0001', ownNumber],
    });
    assert.deepEqual([made.status, made.body.resources], [201, [own, ownNumber]]);
    token = made.body.token;
  });
  after(() => app.close());

  const buy = async (number: string) => {
    await app.call('POST', '/v2/number/pool/', [{ number, carrier: 'sandbox' }]);
    const bought = await app.call('POST', '/v2/number/', { number });
    assert.equal(bought.status, 201, JSON.stringify(bought.body));
  };
  const bound = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown) =>
    app.call(method, url, body, { token });
  const isClosed = ({ status, body }: TestAnswer, what?: string) =>
    assert.deepEqual([status, body.code], [403, 'resource_not_allowed'], what);
  const isNotFound = ({ status, body }: TestAnswer, what?: string) =>
    assert.deepEqual([status, body.code], [404, 'not_found'], what);

  it('may use the operations that check it, and no other', async () => {
    assert.deepEqual(
      routes
        .filter((one) => one.bound)
        .map(({ operationId }) => operationId)
        .toSorted(),
      open.toSorted(),
    );
    for (const { method, url, operationId, scope, example } of routes) {
      if (scope === 'public' || scope === 'operator' || open.includes(operationId)) continue;
      isClosed(await app.call(method, url.replaceAll(/:\w+/g, idOfNothing), example, { token }), operationId);
    }
    isClosed(await bound('GET', '/v2/events/stream/'), 'the stream of events');
  });

  it('sends chat messages from its own number alone, and sees those of no other', async () => {
    const message = (chatapp_number: string) => ({
      chatapp_number,
      to_chatapp_number: person,
      type: 'TEMPLATE',
      template: { template_name: 'welcome' },
    });
    const url = '/v2/chatapp/messages/';
    isClosed(await bound('POST', url, message(foreign)));
    // With the country of the account it is the own number; but whoever reads it without one finds another.
    isClosed(await bound('POST', url, message('07700 900001')));
    const sent = await bound('POST', url, message('+44 7700 900001'));
    assert.equal(sent.status, 201, JSON.stringify(sent.body));
    const others = await app.call('POST', url, message(foreign));
    assert.equal((await bound('GET', `${url}${sent.body.uuid}/`)).status, 200);
    for (const below of ['', 'status-logs/', 'media/'])
      isNotFound(await bound('GET', `${url}${others.body.uuid}/${below}`));
    for (const verb of ['cancel', 'read']) isNotFound(await bound('POST', `${url}${others.body.uuid}/${verb}/`));
    isNotFound(await bound('POST', `${url}${others.body.uuid}/feedback/`, { outcome: 'CONFIRMED' }));
    const listed = await bound('GET', `${url}?chatapp_number=${encodeURIComponent(own)}`);
    assert.deepEqual([listed.status, listed.body.count >= 1], [200, true]);
    isClosed(await bound('GET', url));
    isClosed(await bound('GET', `${url}?chatapp_number=${encodeURIComponent(foreign)}`));
    const { results } = (await app.call('GET', '/v2/chatapp/accounts/')).body;
    for (const { uuid, chatapp_number } of results) {
      const answer = await bound('GET', `/v2/chatapp/accounts/${uuid}/`);
      assert.equal(answer.status, chatapp_number.replaceAll(' ', '') === own ? 200 : 404, chatapp_number);
    }
  });

  it('sends SMS from its own number alone, not from a name, and not one of many', async () => {
    const sms = (from: string) => ({ from, to: person, text: 'Hello' });
    const url = '/v2/send-sms/';
    const sent = await bound('POST', url, sms(ownNumber));
    assert.equal(sent.status, 201, JSON.stringify(sent.body));
    for (const from of [foreignNumber, 'PARLEY', `X${ownNumber.slice(1, 10)}`])
      isClosed(await bound('POST', url, sms(from)), from);
    const several = (...senders: string[]) => bound('POST', `${url}multiple/`, { messages: senders.map(sms) });
    assert.equal((await several(ownNumber, ownNumber)).status, 201);
    isClosed(await several(ownNumber, foreignNumber));
    isClosed(await bound('POST', `${url}multiple/`, { messages: [null] }));
    isClosed(await bound('POST', `${url}multiple/`, { from: foreignNumber, to: [person], text: 'Hello' }));
    const others = await app.call('POST', url, sms(foreignNumber));
    assert.equal((await bound('GET', `${url}${sent.body.uuid}/`)).status, 200);
    isNotFound(await bound('GET', `${url}${others.body.uuid}/`));
    isNotFound(await bound('DELETE', `${url}${others.body.uuid}/`));
    isNotFound(await bound('POST', `${url}${others.body.uuid}/feedback/`, { outcome: 'CONFIRMED' }));
    const records = await bound('GET', `/v2/sms-records/?from=${encodeURIComponent(ownNumber)}`);
    assert.deepEqual([records.status, records.body.count], [200, 3]);
    for (const query of ['', `?to=${person.slice(1)}`, `?from=${foreignNumber.slice(1)}`])
      isClosed(await bound('GET', `/v2/sms-records/${query}`), query);
  });

  it('reads and changes its own number alone', async () => {
    const at = (number: string, below = '') => `/v2/number/${encodeURIComponent(number)}/${below}`;
    assert.equal((await bound('GET', at(ownNumber))).body.number, ownNumber);
    assert.equal((await bound('PATCH', at(ownNumber), { target_number: '+442079460009' })).status, 200);
    assert.equal((await bound('GET', at(ownNumber, 'insights/'))).status, 200);
    isNotFound(await bound('GET', at(foreignNumber)));
    isNotFound(await bound('PATCH', at(foreignNumber), { target_number: '+442079460009' }));
    isNotFound(await bound('GET', at(foreignNumber, 'insights/')));
    isClosed(await bound('DELETE', at(ownNumber)));
  });

  it('starts calls from its own number alone, and sees those of no other', async () => {
    const call = (from: string) => ({ from, to: person, tts: 'Hello.' });
    const url = '/v2/voice/calls/';
    const started = await bound('POST', url, call(ownNumber));
    assert.equal(started.status, 201, JSON.stringify(started.body));
    isClosed(await bound('POST', url, call(foreignNumber)));
    const others = await app.call('POST', url, call(foreignNumber));
    assert.equal((await bound('GET', `${url}${started.body.uuid}/`)).status, 200);
    isNotFound(await bound('GET', `${url}${others.body.uuid}/`));
    isNotFound(await bound('POST', `${url}${others.body.uuid}/hangup/`));
    isNotFound(await bound('GET', `${url}${others.body.uuid}/recording/`));
    for (const list of [url, '/v2/cdr/', '/v2/logs/voice-calls/']) {
      assert.equal((await bound('GET', `${list}?number=${encodeURIComponent(ownNumber)}`)).status, 200, list);
      isClosed(await bound('GET', list), list);
      isClosed(await bound('GET', `${list}?number=${encodeURIComponent(foreignNumber)}`), list);
    }
  });

  it('opens sessions that are bound as it is, and may do no more than its scopes', async () => {
    const opened = await app.call('POST', '/v2/auth/session/', { token }, { token: null, headers: fromConsole });
    const cookie = String(opened.headers['set-cookie']).split(';')[0]!;
    const headers = { cookie, ...fromConsole };
    assert.equal((await app.call('GET', '/v2/auth/session/', undefined, { token: null, headers })).status, 200);
    isClosed(await app.call('GET', '/v2/chatapp/messages/', undefined, { token: null, headers }));
    isClosed(await app.call('POST', '/v2/auth/tokens/', { name: 'Free' }, { token: null, headers }));
    const reading = await app.call('POST', '/v2/auth/tokens/', {
      name: 'R',
      scopes: ['sms:read'],
      resources: [ownNumber],
    });
    const refused = await app.call('POST', '/v2/send-sms/', {}, { token: reading.body.token });
    assert.equal(refused.body.code, 'permission_denied');
  });

  it('names phone numbers, and is refused without any', async () => {
    for (const resources of [[], ['nobody'], [5], 'x', [null]]) {
      const answer = await app.call('POST', '/v2/auth/tokens/', { name: 'Bad', resources });
      assert.deepEqual([answer.status, Object.keys(answer.body)], [400, ['resources']], JSON.stringify(resources));
    }
    const free = await app.call('POST', '/v2/auth/tokens/', { name: 'Free' });
    assert.equal(free.body.resources, null);
  });
});
