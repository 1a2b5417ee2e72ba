// Whoever may use the sandbox cannot speak for real people: not on an account, a link or a number that real people use.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Smsc, startSmsc } from '../../simulators/smsc/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { newToken, tokenHash } from '../../src/platform/secrets.ts';
import { until } from '../kit/until.ts';
import { type Served, serve } from './http/wire.ts';

const person = '+447700900123';
const number = '+442079460000';
const refusal = { to: ['This number is not on the sandbox.'] };

let app: Served;
let smsc: Smsc;
/** May do nothing but play in the sandbox. */
let player: string;
before(async () => {
  smsc = await startSmsc();
  app = await serve({ SMPP_ALLOW: '127.0.0.0/8', SIP_ALLOW: '127.0.0.0/8', SIP_PORT: '0' });
  player = newToken();
  await app.deps.db
    .insertInto('tokens')
    .values({
      account_id: app.accountId,
      uuid: newId(),
      name: 'player',
      hash: tokenHash(player),
      scopes: ['sandbox:write'],
    })
    .execute();
});
after(async () => {
  await app.close();
  await smsc.close();
});

const optOuts = async (of: string): Promise<string[]> =>
  (await app.get(`/v2/opt-outs/?number=${encodeURIComponent(of)}`)).results.map(
    (one: { channel: string }) => one.channel,
  );
const optOut = (of: string, channel: string) => app.post('/v2/opt-outs/', { phone_number: of, channel });
const sms = (text: string, from = person) => app.ask('POST', '/v2/sandbox/sms/', { from, to: number, text }, player);
const chat = (text: string, to: string, from: string) =>
  app.ask('POST', '/v2/sandbox/chatapp/messages/', { from, to, text: { body: text } }, player);
const recordsOf = async (of: string) => (await app.get(`/v2/sms-records/?from=${encodeURIComponent(of)}`)).results;

describe('while everything is on the sandbox', () => {
  test('its people write, stop and start as ever, and each write is in the audit log', async () => {
    await app.post('/v2/number/', { number });
    assert.equal((await sms('STOP')).status, 201);
    assert.deepEqual(await optOuts(person), ['SMS']);
    assert.equal((await sms('START')).status, 201);
    assert.deepEqual(await optOuts(person), []);
    await optOut(person, 'ALL');
    assert.equal((await chat('START', '+442079460900', person)).status, 201);
    assert.deepEqual(await optOuts(person), [], 'an opt-out made by hand is lifted where everybody is of the sandbox');
    await app.post('/v2/sandbox/phones/+447700900124/hold/', {}, player);
    await app.post('/v2/sandbox/faults/', { carrier: 'sandbox', kind: 'slow', count: 1 }, player);
    assert.equal((await app.ask('DELETE', '/v2/sandbox/faults/', undefined, player)).status, 204);
    const entries = (await app.get('/v2/audit-log/?page_size=100')).results as { operation: string }[];
    const logged = entries.map(({ operation }) => operation);
    for (const operation of [
      'writeSmsAsPerson',
      'writeAsPerson',
      'holdSandboxPhone',
      'setSandboxFault',
      'clearSandboxFaults',
    ])
      assert.ok(logged.includes(operation), `${operation} among ${logged}`);
  });
});

describe('beside a live SMS link', () => {
  const later = '+447700909033';

  test('a reply that the sandbox still owes is not brought in once the link is there', async () => {
    // The phone answers START a second after it got the message; the time stands still until the link is live.
    await app.post('/v2/sandbox/clock/', { speed: 0 });
    const { uuid } = await app.post('/v2/send-sms/', { from: number, to: later, text: 'Hello' });
    await until(
      async () => (await app.get(`/v2/send-sms/${uuid}/`)).status,
      (status) => status === 'SENT',
    );
    await optOut(later, 'SMS');
    const { host, port } = smsc;
    await app.post('/v2/sms-links/', { name: 'Centre', host, port, system_id: 'parley', password: 'parley' });
    await until(() => smsc.connections.size > 0);
    await app.post('/v2/sandbox/clock/', { advance_seconds: 60, speed: 1 });
    await until(
      async () => (await app.get(`/v2/send-sms/${uuid}/`)).status,
      (status) => status === 'DELIVERED',
    );
    await until(async () => {
      const { results } = await app.get(`/v2/sandbox/phones/${encodeURIComponent(later)}/`);
      const rows = await app.deps.db
        .selectFrom('sandbox_messages')
        .select('due_at')
        .where('message', '=', uuid)
        .execute();
      return results.length === 1 && rows.every(({ due_at }) => due_at === null);
    });
    assert.deepEqual(await optOuts(later), ['SMS']);
    assert.deepEqual(await recordsOf(later), []);
  });

  const refused = async () => {
    await optOut(person, 'SMS');
    for (const text of ['START', 'HELP', 'Hello', 'STOPALL']) {
      const answer = await sms(text);
      assert.deepEqual([answer.status, answer.body], [400, refusal], text);
    }
    assert.deepEqual(await optOuts(person), ['SMS']);
    // What leaves now leaves after whatever the sandbox might have sent.
    const { uuid } = await app.post('/v2/send-sms/', { from: number, to: '+447700900777', text: 'Last' });
    await until(
      async () => (await app.get(`/v2/send-sms/${uuid}/`)).status,
      (status) => status !== 'QUEUED',
    );
    assert.deepEqual(
      smsc.received.filter(({ pdu }) => pdu.destination_addr === person.slice(1)),
      [],
    );
  };

  test('nobody writes an SMS: no opt-out is lifted or made, and no answer leaves by the link', refused);

  test('nor when the link of the sandbox is enabled beside the live one', async () => {
    const { results } = await app.get('/v2/sms-links/');
    const sandbox = (results as { uuid: string; carrier: string }[]).find(({ carrier }) => carrier === 'sandbox')!;
    assert.equal((await app.ask('PATCH', `/v2/sms-links/${sandbox.uuid}/`, { enabled: true })).status, 200);
    await refused();
  });
});

describe('beside a live chat-app account', () => {
  const live = '+442079460777';
  const trial = '+442079460778';
  before(async () => {
    await app.post('/v2/chatapp/accounts/', {
      chatapp_number: live,
      carrier: 'cloud-api',
      phone_number_id: '1',
      business_account_id: '2',
      app_id: '3',
      access_token: 'token',
      app_secret: 'secret',
      verify_token: 'verify',
    });
    await app.post('/v2/chatapp/accounts/', { chatapp_number: trial, carrier: 'sandbox' });
  });

  test('nobody writes to its number', async () => {
    const answer = await chat('Hello', live, person);
    assert.deepEqual([answer.status, answer.body], [400, refusal]);
  });

  test('START to a number of the sandbox lifts what was said in the sandbox, and nothing else', async () => {
    const [real, played] = ['+447700900501', '+447700900502'];
    await optOut(real, 'CHATAPP');
    await optOut(real, 'ALL');
    assert.equal((await chat('START', trial, real)).status, 201);
    assert.deepEqual((await optOuts(real)).toSorted(), ['ALL', 'CHATAPP']);
    await chat('STOP', trial, played);
    assert.deepEqual(await optOuts(played), ['CHATAPP']);
    await chat('START', trial, played);
    assert.deepEqual(await optOuts(played), []);
    await chat('STOP', trial, played);
    await optOut(played, 'CHATAPP');
    await chat('START', trial, played);
    assert.deepEqual(await optOuts(played), ['CHATAPP'], 'said in earnest after it was said in the sandbox');
  });

  test('a message to a number of the sandbox gives no leave to answer somebody who really opted out', async () => {
    const real = '+447700900503';
    await optOut(real, 'CHATAPP');
    assert.equal((await chat('Hello there', trial, real)).status, 201);
    const body = { chatapp_number: live, to_chatapp_number: real, type: 'TEXT', text: { body: 'Buy!' } };
    const answer = await app.ask('POST', '/v2/chatapp/messages/', body);
    assert.deepEqual([answer.status, answer.body.code], [400, 'recipient_opted_out']);
  });

  test('what was written in the sandbox is not sent on by the live number', async () => {
    await app.post('/v2/routing-configs/', {
      name: 'On',
      channel: 'CHATAPP',
      numbers: [trial],
      routes: [],
      fallback: { type: 'CHATAPP', chatapp_number: live, to: '+447700900601' },
    });
    const { uuid } = (await chat('Pass this on', trial, '+447700900504')).body;
    const [event] = await until(
      async () => (await app.get(`/v2/events/?subject=${uuid}&kind=message.not_routed`)).results,
      (events) => events.length > 0,
    );
    assert.match(event.data.problems[0].problem, /sandbox/);
  });
});

describe('beside a SIP trunk', () => {
  const imported = '+442079460955';
  const call = (to: string) =>
    app.ask('POST', '/v2/sandbox/calls/', { from: person, to, hangup_after_seconds: 1 }, player);

  test('nobody calls a number that calls really reach; one of the sandbox rings as ever', async () => {
    await app.post('/v2/number/pool/', [{ number: imported, capabilities: ['VOICE', 'SMS'], carrier: 'acme' }]);
    await app.post('/v2/number/', { number: imported });
    const before = await call(imported);
    assert.equal(before.status, 201, JSON.stringify(before.body));
    await app.post('/v2/sip-trunks/', { name: 'Main', host: '127.0.0.1', port: 9 });
    const answer = await call(imported);
    assert.deepEqual([answer.status, answer.body], [400, refusal]);
    const allowed = await call(number);
    assert.equal(allowed.status, 201, JSON.stringify(allowed.body));
  });
});
