// What an operator's word does to everything that an account sends, receives and asks for.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { insertCall } from '../../src/carriers/sandbox/voice/queries.ts';
import { makeInbox } from '../../src/domains/inbound/index.ts';
import { sendMessages } from '../../src/domains/messages/index.ts';
import { sendSmsAll } from '../../src/domains/sms/index.ts';
import { startCall } from '../../src/domains/voice/calls/start-call.ts';
import { newId } from '../../src/platform/ids.ts';
import { startTestApp, type TestAnswer, type TestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';

const person = '+447700900123';
const sender = '+447700900001';
const template = { template_name: 'welcome' };

let app: TestApp;
let tenant: string;
let token: string;
const heard: string[] = [];
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    heard.push(JSON.parse(body).type);
    response.end();
  });
});

before(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
});
after(async () => {
  await app.close();
  receiver.close();
});

beforeEach(async () => {
  tenant = (await app.call('POST', '/v2/accounts/', { name: 'Harbour' })).body.uuid;
  token = (await app.call('POST', `/v2/accounts/${tenant}/tokens/`, {})).body.token;
  heard.length = 0;
});

const suspend = () => app.call('POST', `/v2/accounts/${tenant}/suspend/`);
const resume = () => app.call('POST', `/v2/accounts/${tenant}/resume/`);
const mine = async (method: 'GET' | 'POST' | 'PATCH', url: string, body?: object): Promise<TestAnswer> => {
  const answer = await app.call(method, url, body, { token });
  assert.ok(answer.status < 300, `${method} ${url} ${JSON.stringify(answer.body)}`);
  return answer;
};
const fulfilled = <T>(result: PromiseSettledResult<T> | undefined): T => {
  assert.equal(result?.status, 'fulfilled', JSON.stringify(result));
  return (result as PromiseFulfilledResult<T>).value;
};
/** What the account's own machinery does while nobody can ask for it. */
const chat = async (accountId: string) => {
  const request = { chatapp_number: sender, to_chatapp_number: person, type: 'TEMPLATE', template } as const;
  return fulfilled((await sendMessages(app.deps, [{ accountId, request }]))[0]).uuid;
};
const sms = async (accountId: string, more: object = {}) => {
  const request = { from: 'Parley', to: person, text: 'Hello', ...more };
  return fulfilled((await sendSmsAll(app.deps, [{ accountId, request }]))[0]).uuid;
};
const standing = async (table: 'message_states' | 'sms_states', uuid: string) =>
  (await app.deps.db.selectFrom(table).select('status').where('uuid', '=', uuid).executeTakeFirst())?.status;
const left = (table: 'message_states' | 'sms_states', uuid: string) =>
  until(
    () => standing(table, uuid),
    (status) => status !== undefined && status !== 'QUEUED',
  );

describe('A suspended account', () => {
  it('gets 403 with a sentence for every token, user and session, and works again when it is resumed', async () => {
    const username = `harbour-${tenant}`;
    const password = 'a long enough password';
    await mine('POST', '/v2/users/', { username, password });
    const signIn = () => app.call('POST', '/v2/auth/token/', { username, password }, { token: null });
    const session = (body: object) =>
      app.call('POST', '/v2/auth/session/', body, { token: null, headers: { 'x-requested-with': 'parley-console' } });
    const asUser = (await signIn()).body.token;
    const opened = await session({ username, password });
    const cookie = String(opened.headers['set-cookie']).split(';')[0]!;
    const withCookie = () => app.call('GET', '/v2/auth/session/', undefined, { token: null, headers: { cookie } });
    assert.equal((await withCookie()).status, 200);

    const suspended = await suspend();
    assert.deepEqual([suspended.status, suspended.body.status], [200, 'SUSPENDED']);
    assert.ok(Date.parse(suspended.body.suspended) > 0);
    const refusals = [
      await app.call('GET', '/v2/account/', undefined, { token }),
      await app.call('POST', '/v2/send-sms/', { from: 'Parley', to: person, text: 'Hello' }, { token }),
      await app.call('GET', '/v2/account/', undefined, { token: asUser }),
      await app.call('GET', '/v2/events/stream/', undefined, { token }),
      await withCookie(),
      await signIn(),
      await session({ username, password }),
      await session({ token }),
    ];
    const sentence = 'This account is suspended. Contact the operator of this server.';
    for (const { status, body } of refusals) {
      assert.deepEqual([status, body], [403, { detail: sentence, code: 'account_suspended' }]);
    }
    const wrong = await app.call('POST', '/v2/auth/token/', { username, password: 'guessed' }, { token: null });
    assert.equal(wrong.status, 400, 'strangers learn nothing');
    assert.equal((await suspend()).body.suspended, suspended.body.suspended, 'twice is once');

    const resumed = await resume();
    assert.deepEqual([resumed.body.status, resumed.body.suspended], ['ACTIVE', null]);
    assert.equal((await withCookie()).status, 200);
    assert.equal((await signIn()).status, 200);
    await mine('GET', '/v2/account/');
  });

  it('chat and SMS stay in the queue, while others leave; they leave when it is resumed', async () => {
    await mine('POST', '/v2/chatapp/messages/', {
      chatapp_number: sender,
      to_chatapp_number: person,
      type: 'TEMPLATE',
      template,
    });
    await suspend();
    const held = [await chat(tenant), await sms(tenant)] as const;
    // Whoever serves queues finds all that wait together: these came later, and leave.
    const others = [await chat(app.accountId), await sms(app.accountId)] as const;
    await left('message_states', others[0]);
    await left('sms_states', others[1]);
    assert.equal(await standing('message_states', held[0]), 'QUEUED');
    assert.equal(await standing('sms_states', held[1]), 'QUEUED');
    await resume();
    await left('message_states', held[0]);
    assert.notEqual(await left('sms_states', held[1]), 'FAILED');
  });

  it('an SMS whose time is over meanwhile is not sent late', async () => {
    await suspend();
    const uuid = await sms(tenant, { validity_seconds: 60 });
    await app.deps.db
      .updateTable('sms_states')
      .set({ expires_at: '2020-01-01T00:00:00Z' })
      .where('uuid', '=', uuid)
      .execute();
    assert.equal(await left('sms_states', uuid), 'FAILED');
    await resume();
    assert.equal(await standing('sms_states', uuid), 'FAILED');
  });

  it('webhooks wait and are told later', async () => {
    const { port } = receiver.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/`;
    await mine('POST', '/v2/chatapp/webhooks/', { url, events: ['chatapp.message.received'] });
    await app.call('POST', '/v2/chatapp/webhooks/', {
      url,
      events: ['chatapp.message.received'],
      description: 'Operator',
    });
    await suspend();
    await receive(tenant, 'Is anybody there?');
    await until(async () => (await waiting()) === 1);
    await receive(app.accountId, 'And here?');
    await until(() => heard.length > 0);
    assert.deepEqual([heard.length, await waiting()], [1, 1]);
    await resume();
    await until(() => heard.length === 2);
  });

  const waiting = async () =>
    (await app.deps.db.selectFrom('webhook_queue').select('delivery').where('account_id', '=', tenant).execute())
      .length;
  const receive = (accountId: string, body: string) =>
    makeInbox(app.deps).receive(accountId, 'sandbox', [
      {
        kind: 'message',
        sender: { number: sender },
        id: `${accountId} ${body}`,
        from: { number: person, userId: null },
        name: 'Ana',
        type: 'TEXT',
        content: { text: { body } },
        context: {},
        at: new Date(),
      },
    ]);

  it('what people write is kept, and their STOP counts', async () => {
    await suspend();
    await receive(tenant, 'STOP');
    await resume();
    const kept = await mine('GET', '/v2/chatapp/messages/?direction=INBOUND');
    assert.equal(kept.body.results[0].message_data.text.body, 'STOP');
    await until(async () => (await mine('GET', '/v2/opt-outs/')).body.count === 1);
  });

  it('calls are not dialled, and a caller is refused with a record', async () => {
    const bought = (await mine('POST', '/v2/number/', { country_code: 'GB', target_number: person })).body;
    await suspend();
    const call = (accountId: string) =>
      startCall(app.deps, accountId, { from: '+442079460000', to: '+447700900124', tts: 'Hello' });
    const [held, other] = [await call(tenant), await call(app.accountId)];
    const statusOf = async (uuid: string) =>
      (await app.deps.db.selectFrom('calls').select('status').where('uuid', '=', uuid).executeTakeFirstOrThrow())
        .status;
    await until(async () => (await statusOf(other.uuid)) !== 'QUEUED');
    assert.equal(await statusOf(held.uuid), 'QUEUED');
    const announced = await makeInbox(app.deps).receiveCall(tenant, 'sandbox', { from: person, to: bought.number });
    const { uuid } = announced as { uuid: string };
    const incoming = { accountId: tenant, uuid, from: person, to: bought.number, digits: '', hangUpAfterMs: null };
    await insertCall(app.deps.db, { ...incoming, at: new Date() });
    await until(async () => (await statusOf(uuid)) === 'ENDED');
    await resume();
    const record = (await mine('GET', `/v2/voice/calls/${uuid}/`)).body;
    assert.deepEqual([record.result, record.description], ['REJECTED', 'The account is suspended.']);
    await until(async () => (await statusOf(held.uuid)) !== 'QUEUED');
  });

  it('a job goes on when the account does', async () => {
    await suspend();
    const submit = async (accountId: string) => {
      const uuid = newId();
      const row = { account_id: accountId, uuid, type: 'contacts.export', input: '{}' };
      await app.deps.db.insertInto('jobs').values(row).execute();
      return uuid;
    };
    const [job, other] = [await submit(tenant), await submit(app.accountId)];
    const statusOf = async (uuid: string) =>
      (await app.deps.db.selectFrom('jobs').select('status').where('uuid', '=', uuid).executeTakeFirstOrThrow()).status;
    await until(async () => (await statusOf(other)) === 'SUCCEEDED');
    assert.equal(await statusOf(job), 'QUEUED');
    await resume();
    await until(async () => (await statusOf(job)) === 'SUCCEEDED');
  });

  it('a campaign that is to start stands still', async () => {
    const list = (await mine('POST', '/v2/lists/', { name: 'Buyers' })).body.uuid;
    await mine('POST', '/v2/contacts/', { phone_number: person, lists: [list] });
    const campaign = { name: 'Spring', channel: 'SMS', sender: 'Parley', text: 'Hello', lists: [list] };
    const launched = async (accountToken: string, lists: string[]) => {
      const made = await app.call('POST', '/v2/campaigns/', { ...campaign, lists }, { token: accountToken });
      const { uuid } = made.body;
      const send_at = new Date(Date.now() + 3_600_000).toISOString();
      const log = await app.call('POST', `/v2/campaigns/${uuid}/launch/`, { send_at }, { token: accountToken });
      assert.ok(log.status < 300, JSON.stringify(log.body));
      return log.body.uuid as string;
    };
    const others = (await app.call('POST', '/v2/lists/', { name: `Buyers ${tenant}` })).body.uuid;
    const logs = [await launched(token, [list]), await launched(app.token, [others])];
    await suspend();
    const statusOf = async (uuid: string) =>
      (
        await app.deps.db
          .selectFrom('campaign_logs')
          .select('status')
          .where('uuid', '=', uuid)
          .executeTakeFirstOrThrow()
      ).status;
    const past = { start_at: new Date(Date.now() - 1000).toISOString(), wakes_at: '-infinity' };
    await app.deps.db.updateTable('campaign_logs').set(past).where('uuid', 'in', logs).execute();
    await until(async () => (await statusOf(logs[1]!)) === 'COMPLETED');
    assert.equal(await statusOf(logs[0]!), 'SCHEDULED');
    await resume();
    await until(async () => (await statusOf(logs[0]!)) === 'COMPLETED');
  });
});

it('the operator cannot suspend the own account', async () => {
  const answer = await app.call('POST', `/v2/accounts/${app.accountId}/suspend/`);
  assert.deepEqual([answer.status, answer.body.code], [409, 'operator_account']);
  assert.equal((await app.call('GET', '/v2/account/')).status, 200);
});
