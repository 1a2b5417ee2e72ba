// A chat-app account goes from the sandbox to the platform and back: what it keeps, and what it leaves behind.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { type CloudSimulator, startCloudSimulator } from '../../simulators/cloud-api/index.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { createTestDatabase, onlyPlain } from '../kit/database.ts';
import { until } from '../kit/until.ts';

const senders = '/v2/chatapp/accounts/';
const intros = '/v2/chatapp/chat-intros/';
const templates = '/v2/chatapp/message-templates/';
const messages = '/v2/chatapp/messages/';
const number = '+34900111222';
const person = '+34600777001';

let app: TestApp;
let simulator: CloudSimulator;
let origin: string;
before(async () => {
  simulator = await startCloudSimulator({ speed: 1000, phone: number, settings: { pairEveryMs: null } });
  app = await startTestApp({ CLOUD_API_URL: simulator.url, PUBLIC_URL: 'https://parley.example' });
  origin = await app.app.listen({ host: '127.0.0.1', port: 0 });
});
after(async () => {
  await simulator.close();
  await app.close();
});

const credentials = () => ({
  phone_number_id: simulator.numberId,
  business_account_id: simulator.accountId,
  app_id: '1000000000000001',
  access_token: simulator.token,
  app_secret: simulator.appSecret,
  verify_token: 'ours',
});
const cloud = () => ({ carrier: 'cloud-api', ...credentials() });
const senderOf = async (of: string) =>
  (await app.call('GET', `${senders}?chatapp_number=${encodeURIComponent(of)}`)).body.results[0];
const phone = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari' };
const opens = async (link: string) =>
  String(
    (await app.call('GET', link.slice(link.indexOf('/l/')), undefined, { token: null, headers: phone })).headers[
      'location'
    ],
  );
const text = (body: string, from = number) =>
  app.call('POST', messages, { chatapp_number: from, to_chatapp_number: person, type: 'TEXT', text: { body } });
const reaches = (uuid: string, status: string) =>
  until(`message ${uuid} is ${status}`, async () => {
    const { body } = await app.call('GET', `${messages}${uuid}/`);
    return body.status === status ? body : undefined;
  });

describe('a number that was tried out in the sandbox and is registered on the platform', () => {
  let before: { uuid: string };
  let intro: { uuid: string; chat_link: string };
  let template: { uuid: string };
  let waiting: { uuid: string };
  let sent: { uuid: string };

  test('is the same one: 201, with its uuid', async () => {
    sent = (await text('Hello from the sandbox')).body;
    await reaches(sent.uuid, 'READ');
    intro = (
      await app.call('POST', intros, {
        chatapp_number: number,
        reference_id: 'PISO-7',
        expected_message_template: 'PISO-7',
        reply_message_template: 'Gracias',
      })
    ).body;
    const component = { type: 'BODY', text: 'Your viewing is at {{1}}.', example: { body_text: [['ten']] } };
    const draft = { name: 'viewing', language_code: 'en_GB', category: 'UTILITY', components: [component] };
    template = (await app.call('POST', templates, { chatapp_number: number, ...draft })).body;
    await until('the sandbox approved it', async () => {
      const { body } = await app.call('GET', `${templates}${template.uuid}/`);
      return body.status === 'APPROVED' || undefined;
    });
    const written = { from: person, to: number, text: { body: 'PISO-7' } };
    assert.equal((await app.call('POST', '/v2/sandbox/chatapp/messages/', written)).status, 201);
    const later = { type: 'TEXT', text: { body: 'Later' }, send_at: new Date(Date.now() + 3_600_000).toISOString() };
    waiting = (await app.call('POST', messages, { chatapp_number: number, to_chatapp_number: person, ...later })).body;
    assert.match(await opens(intro.chat_link), /\/console\/phone\//);
    before = await senderOf(number);

    const answer = await app.call('POST', senders, { chatapp_number: '+34 900 11 12 22', name: 'Pisos', ...cloud() });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    assert.deepEqual(
      [answer.body.uuid, answer.body.carrier, answer.body.adopted, answer.body.name],
      [before.uuid, 'cloud-api', false, 'Pisos'],
    );
    assert.match(String(answer.headers['parley-warnings']), /first live sender/);
    await simulator.setWebhook(`${origin}${answer.body.webhook_path}`, 'ours');
  });

  test('keeps its history, its intros and the links of these, which lead to the live number at once', async () => {
    assert.equal((await app.call('GET', `${messages}${sent.uuid}/`)).body.status, 'READ');
    const kept = (await app.call('GET', `${intros}${intro.uuid}/`)).body;
    assert.deepEqual([kept.uuid, kept.chat_link], [intro.uuid, intro.chat_link]);
    assert.match(await opens(intro.chat_link), /^https:\/\/wa\.me\/34900111222\?text=PISO-7/);
    const { results } = (await app.call('GET', `/v2/events/?subject=${before.uuid}`)).body;
    assert.deepEqual(
      [results[0].kind, results[0].data],
      ['chatapp_account.carrier_changed', { from: 'sandbox', to: 'cloud-api' }],
    );
  });

  test('keeps its templates, which the platform approves by itself', async () => {
    // It may have been approved before the platform was told where to report that.
    const sync = await app.call('POST', `${templates}sync/`, { chatapp_number: number });
    assert.equal(sync.status, 202, JSON.stringify(sync.body));
    await until('the platform approved it', async () => {
      const { body } = await app.call('GET', `${templates}${template.uuid}/`);
      return body.status === 'APPROVED' || undefined;
    });
    assert.ok([...simulator.world.templates.values()].some(({ name }) => name === 'viewing'));
    const parameters = [{ type: 'text', text: 'ten' }];
    const use = { template_name: 'viewing', language_code: 'en_GB', components: [{ type: 'body', parameters }] };
    const answer = await app.call('POST', messages, {
      chatapp_number: number,
      to_chatapp_number: person,
      type: 'TEMPLATE',
      template: use,
    });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    await reaches(answer.body.uuid, 'READ');
  });

  test('what waited in the sandbox never reaches anybody', async () => {
    const { body } = await app.call('GET', `${messages}${waiting.uuid}/`);
    assert.deepEqual(
      [body.status, body.status_description],
      ['CANCELLED', 'Its sender changed the carrier before it left.'],
    );
  });

  test('who wrote in the sandbox has to write again before they can be answered', async () => {
    assert.equal((await text('Hello')).body.code, 'window_closed');
    const list = `/v2/chatapp/conversations/?number=${encodeURIComponent(person)}`;
    assert.equal((await app.call('GET', list)).body.results[0].is_open, false);
    simulator.person(person).writes('PISO-7');
    await until(
      'the reply of the intro arrived',
      async () =>
        simulator
          .person(person)
          .messages()
          .some((message) => message.direction === 'out' && JSON.stringify(message).includes('Gracias')) || undefined,
    );
    assert.equal((await text('Hello again')).status, 201);
    assert.equal((await app.call('GET', list)).body.results[0].is_open, true);
  });

  test('the sandbox cannot write to it any more; registering it again is the error it was', async () => {
    const written = { from: person, to: number, text: { body: 'Hello' } };
    assert.deepEqual((await app.call('POST', '/v2/sandbox/chatapp/messages/', written)).body, {
      to: ['This number is not on the sandbox.'],
    });
    assert.deepEqual((await app.call('POST', senders, { chatapp_number: number, ...cloud() })).body, {
      chatapp_number: ['A chat-app account with this number already exists.'],
    });
  });

  test('its credentials can be changed, and it goes back to the sandbox as itself', async () => {
    const one = `${senders}${before.uuid}/`;
    assert.equal((await app.call('PATCH', one, { access_token: 'revoked', carrier: 'cloud-api' })).status, 200);
    const seen = simulator.received.length;
    const { uuid } = (await text('With a token that is none')).body;
    await until(
      'the platform refused it',
      async () => simulator.received.slice(seen).some(({ status }) => status === 401) || undefined,
    );
    const back = await app.call('PUT', one, { carrier: 'sandbox', name: 'Trial' });
    assert.equal(back.status, 200, JSON.stringify(back.body));
    assert.deepEqual(
      [back.body.uuid, back.body.carrier, back.body.phone_number_id, back.body.webhook_path, back.body.adopted],
      [before.uuid, 'sandbox', null, null, false],
    );
    await reaches(uuid, 'CANCELLED');
    await reaches((await text('In the sandbox again')).body.uuid, 'READ');
    assert.match(await opens(intro.chat_link), /\/console\/phone\//);
    const live = await app.call('PATCH', one, cloud());
    assert.deepEqual([live.status, live.body.carrier, live.headers['parley-warnings']], [200, 'cloud-api', undefined]);
  });
});

describe('PATCH with another carrier', () => {
  test('400 names what the carrier needs, and nothing changes', async () => {
    const { uuid } = (await app.call('POST', senders, { chatapp_number: '+34900111301' })).body;
    const refused = await app.call('PATCH', `${senders}${uuid}/`, { carrier: 'cloud-api', phone_number_id: '1' });
    assert.equal(refused.status, 400);
    assert.deepEqual(Object.keys(refused.body), [
      'business_account_id',
      'app_id',
      'access_token',
      'app_secret',
      'verify_token',
    ]);
    const other = await app.call('PATCH', `${senders}${uuid}/`, { carrier: 'pigeon' });
    assert.deepEqual([other.status, Object.keys(other.body)], [400, ['carrier']]);
    const idle = await app.call('PATCH', `${senders}${uuid}/`, { carrier: 'sandbox', ...credentials() });
    assert.equal(idle.status, 400);
    assert.equal((await app.call('GET', `${senders}${uuid}/`)).body.carrier, 'sandbox');
  });

  test('404 for another tenant’s', async () => {
    const { uuid } = (await app.call('POST', senders, { chatapp_number: '+34900111302' })).body;
    const answer = await app.call('PATCH', `${senders}${uuid}/`, cloud(), { token: app.otherToken });
    assert.equal(answer.status, 404);
  });
});

test('of two who register an adopted number at once, one makes it live and one is told that it exists', async () => {
  await app.call('PATCH', '/v2/account/', { sandbox: 'adopt' });
  const adopted = '+34900111401';
  await text('Hello', adopted);
  const { uuid } = await senderOf(adopted);
  const answers = await Promise.all(
    [1, 2].map(() => app.call('POST', senders, { chatapp_number: adopted, ...cloud() })),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 400]);
  assert.equal(answers.find(({ status }) => status === 201)!.body.uuid, uuid);
});

test('the migration finds out who is live, and what was adopted', onlyPlain, async () => {
  const database = await createTestDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    const ids = ['sender', 'link', 'trunk', 'nobody'].map((name, index) => ({
      name,
      uuid: `00000000-0000-4000-8000-00000000000${index}`,
    }));
    const idOf = (name: string) => ids.find((one) => one.name === name)!.uuid;
    await client.query(`
      alter table accounts drop column sandbox, drop column live_since;
      alter table chatapp_accounts drop column adopted;
      alter table sms_links drop column adopted;
      alter table chat_people drop column window_closed;`);
    for (const { uuid, name } of ids) {
      await client.query('insert into accounts (uuid, name) values ($1, $2)', [uuid, name]);
    }
    const sender = `insert into chatapp_accounts (account_id, uuid, chatapp_number, digits, carrier, name)
      values ($1, gen_random_uuid(), $2, $2, $3, $4)`;
    await client.query(sender, [idOf('sender'), '1', 'cloud-api', '']);
    await client.query(sender, [idOf('nobody'), '1', 'sandbox', '']);
    await client.query(sender, [idOf('nobody'), '2', 'sandbox', 'Sales']);
    const link = `insert into sms_links (account_id, uuid, name, carrier) values ($1, gen_random_uuid(), $2, $3)`;
    await client.query(link, [idOf('link'), 'sandbox', 'sandbox']);
    await client.query(link, [idOf('link'), 'smpp 1', 'smpp']);
    await client.query(
      `insert into sip_trunks (account_id, uuid, name, host) values ($1, gen_random_uuid(), 'a', 'sip.example.com')`,
      [idOf('trunk')],
    );
    await client.query(await readFile(new URL('../../migrations/0054_sandbox_setting.sql', import.meta.url), 'utf8'));
    const { rows } = await client.query(
      `select name, sandbox, live_since is not null as live from accounts where uuid = any ($1) order by uuid`,
      [ids.map(({ uuid }) => uuid)],
    );
    assert.deepEqual(rows, [
      { name: 'sender', sandbox: 'registered', live: true },
      { name: 'link', sandbox: 'registered', live: true },
      { name: 'trunk', sandbox: 'registered', live: true },
      { name: 'nobody', sandbox: 'adopt', live: false },
    ]);
    const adopted = await client.query(
      `select digits, adopted from chatapp_accounts where account_id = $1 order by digits`,
      [idOf('nobody')],
    );
    assert.deepEqual(adopted.rows, [
      { digits: '1', adopted: true },
      { digits: '2', adopted: false },
    ]);
  } finally {
    await client.end();
    await database.drop();
  }
});
