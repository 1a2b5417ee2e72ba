import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const template = {
  chatapp_number: '+44 7700 900001',
  to_chatapp_number: '+44 (7700) 900-123',
  type: 'TEMPLATE',
  template: {
    template_name: 'viewing_confirmed',
    components: [
      { type: 'header', parameters: [{ type: 'image', image: { url: 'https://cdn.example/house.jpg' } }] },
      {
        type: 'body',
        parameters: [
          { type: 'text', text: 'Ana' },
          { type: 'text', text: '£1,250,000' },
        ],
      },
      { type: 'button', sub_type: 'url', index: 0, parameters: [{ type: 'text', text: 'abc123' }] },
      { type: 'button', sub_type: 'flow', index: 1, parameters: [{ type: 'action', action: { flow_token: '' } }] },
    ],
  },
};
const contacts = {
  chatapp_number: '+447700900001',
  to_chatapp_number: '+447700900123',
  type: 'CONTACTS',
  contacts: [
    {
      name: { formatted_name: 'Ana Agent', first_name: 'Ana', last_name: 'Agent' },
      addresses: [
        { street: '1 High St', city: 'London', state: '', zip: 'N1', country: 'UK', country_code: 'gb', type: 'WORK' },
      ],
      birthday: '1990-02-28',
      org: { company: 'Best Homes' },
      phones: [{ phone: '+44 20 7946 0001', type: 'WORK' }],
      urls: [{ url: 'https://best-homes.example/ana', type: 'WORK' }],
    },
  ],
};
const send = (body: object, options?: Parameters<TestApp['call']>[3]) =>
  app.call('POST', '/v2/chatapp/messages/', body, options);
const withComponents = (components: unknown) => ({ ...template, template: { template_name: 'x', components } });

describe('POST /v2/chatapp/messages/', () => {
  test('201 for a template: queued, echoed as sent, with a language', async () => {
    const { status, body } = await send(template);
    assert.equal(status, 201);
    const { uuid, created, modified, ...rest } = body;
    assert.match(uuid, /^[0-9a-f-]{36}$/);
    assert.match(created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.equal(modified, created);
    assert.deepEqual(rest, {
      type: 'TEMPLATE',
      status: 'QUEUED',
      status_description: '',
      chatapp_number: '+44 7700 900001',
      direction: 'OUTBOUND',
      from_chatapp_number: '+44 7700 900001',
      to_chatapp_number: '+44 (7700) 900-123',
      message_data: { language_code: 'en_GB', ...template.template },
      meta_data: {},
      context_data: {},
    });
  });

  test('201 for contact cards, echoed as sent', async () => {
    const { status, body } = await send(contacts);
    assert.equal(status, 201);
    assert.deepEqual(body.message_data, { contacts: contacts.contacts });
  });

  test('contact cards keep every part of a name, and the platform’s id of a phone', async () => {
    const parts = { first_name: 'Ana', middle_name: 'María', last_name: 'Sol', prefix: 'Dr', suffix: 'PhD' };
    const card = {
      name: { formatted_name: 'Dr Ana María Sol PhD', ...parts },
      org: { company: 'Best Homes', department: 'Sales', title: 'Head' },
      emails: [{ email: 'ana@best-homes.example', type: 'WORK' }],
      phones: [{ phone: '+44 20 7946 0001', type: 'WORK', wa_id: '442079460001' }],
    };
    const { status, body, headers } = await send({ ...contacts, contacts: [card] });
    assert.deepEqual([status, body.message_data], [201, { contacts: [card] }]);
    assert.equal(headers['parley-ignored-fields'], undefined);
    const { body: read } = await app.call('GET', `/v2/chatapp/messages/${body.uuid}/`);
    assert.deepEqual(read.message_data.contacts, [card]);
  });

  test('the language is the request’s, else the template’s only one, else the account’s', async () => {
    const named = { ...template, template: { template_name: 'greeting', language_code: 'es_MX' } };
    assert.equal((await send(named)).body.message_data.language_code, 'es_MX');
    const unnamed = { ...template, template: { template_name: 'greeting' } };
    assert.equal((await send(unnamed)).body.message_data.language_code, 'es_MX');
    await app.call('PATCH', '/v2/account/', { language_code: 'fr' });
    assert.equal(
      (await send({ ...template, template: { template_name: 'another' } })).body.message_data.language_code,
      'fr',
    );
    await app.call('PATCH', '/v2/account/', { language_code: 'en_GB' });
  });

  test('what is wrong with one message does not stop those sent with it', async () => {
    const results = await Promise.all([
      send(template),
      send({ ...template, type: 'FAX' }),
      send(contacts),
      send(template),
    ]);
    assert.deepEqual(
      results.map((result) => result.status),
      [201, 400, 201, 201],
    );
    assert.equal(new Set(results.flatMap((result) => result.body.uuid ?? [])).size, 3);
  });

  test('unknown fields are ignored and named', async () => {
    const { status, headers } = await send({
      ...contacts,
      colour: 'blue',
      contacts: [{ ...contacts.contacts[0], nickname: 'A' }],
    });
    assert.equal(status, 201);
    assert.equal(headers['parley-ignored-fields'], 'contacts.0.nickname, colour');
  });

  const refusals: [string, unknown, unknown][] = [
    [
      'an empty body',
      {},
      {
        chatapp_number: ['This field is required.'],
        to_chatapp_number: ['This field is required.'],
        type: ['This field is required.'],
      },
    ],
    ['an unknown type', { ...template, type: 'FAX' }, { type: ['"FAX" is not a valid choice.'] }],
    ['a template without its content', { ...template, template: undefined }, { template: ['This field is required.'] }],
    [
      'a number that is none',
      { ...template, to_chatapp_number: 'mum' },
      { to_chatapp_number: ['Enter a valid phone number.'] },
    ],
    ['no cards', { ...contacts, contacts: [] }, { contacts: ['This list may not be empty.'] }],
    [
      'a card without a name',
      { ...contacts, contacts: [contacts.contacts[0], { name: {} }] },
      {
        contacts: [{}, { name: { formatted_name: ['This field is required.'] } }],
      },
    ],
    [
      'a birthday that never was',
      { ...contacts, contacts: [{ ...contacts.contacts[0], birthday: '1990-02-30' }] },
      {
        contacts: [{ birthday: ['Date has wrong format. Use one of these formats instead: YYYY-MM-DD.'] }],
      },
    ],
    [
      'an unknown component',
      withComponents([{ type: 'footer' }]),
      {
        template: { components: [{ type: ['"footer" is not a valid choice.'] }] },
      },
    ],
    [
      'an empty text parameter',
      withComponents([{ type: 'body', parameters: [{ type: 'text', text: '' }] }]),
      {
        template: { components: [{ parameters: [{ text: ['This field may not be blank.'] }] }] },
      },
    ],
    [
      'a line break in a parameter',
      withComponents([{ type: 'body', parameters: [{ type: 'text', text: 'a\nb' }] }]),
      {
        template: {
          components: [
            { parameters: [{ text: ['Line breaks, tabs and more than four spaces in a row are not allowed.'] }] },
          ],
        },
      },
    ],
    [
      'a header image that is no address',
      withComponents([{ type: 'header', parameters: [{ type: 'image', image: { url: 'x' } }] }]),
      {
        template: { components: [{ parameters: [{ image: { url: ['Enter a valid URL.'] } }] }] },
      },
    ],
    ['a list', [template], { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }],
  ];
  for (const [what, body, errors] of refusals) {
    test(`400 for ${what}, naming the field, and nothing is written`, async () => {
      const before = await app.call('GET', '/v2/account/ledger/');
      const answer = await send(body as object);
      assert.equal(answer.status, 400);
      assert.deepEqual(answer.body, errors);
      assert.deepEqual((await app.call('GET', '/v2/account/ledger/')).body, before.body);
    });
  }

  test('an Idempotency-Key replays the first answer and sends nothing again', async () => {
    const options = { headers: { 'idempotency-key': 'order-17' } };
    const first = await send(template, options);
    const again = await send(template, options);
    assert.equal(again.status, 201);
    assert.deepEqual(again.body, first.body);
    assert.equal(again.headers['idempotent-replayed'], 'true');
    assert.equal(first.headers['idempotent-replayed'], undefined);
    const other = await send(contacts, options);
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_mismatch']);
    const elsewhere = await send(template, { ...options, token: app.otherToken });
    assert.notEqual(elsewhere.body.uuid, first.body.uuid);
  });

  test('the same key many times at once sends one message', async () => {
    const options = { headers: { 'idempotency-key': 'rush' } };
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(template, options)));
    const uuids = new Set(answers.flatMap((answer) => (answer.status === 201 ? answer.body.uuid : [])));
    assert.equal(uuids.size, 1);
    for (const answer of answers) assert.ok([201, 409].includes(answer.status), String(answer.status));
  });
});

describe('GET /v2/chatapp/messages/', () => {
  test('each filter finds what it names and nothing else', async () => {
    const one = await send({ ...template, chatapp_number: '+15550100', to_chatapp_number: '+1 555 0111' });
    const two = await send({ ...contacts, chatapp_number: '+15550101', to_chatapp_number: '+1 555 0112' });
    const uuids = async (query: string): Promise<string[]> =>
      (await app.call('GET', `/v2/chatapp/messages/?${query}`)).body.results.map((row: { uuid: string }) => row.uuid);
    const [first, second] = [one.body.uuid, two.body.uuid];
    assert.deepEqual(await uuids('to=15550111'), [first]);
    assert.deepEqual(await uuids('to=%2B1(555)0112'), [second]);
    assert.deepEqual(await uuids('from=15550100'), [first]);
    assert.deepEqual(await uuids('chatapp_number=15550101'), [second]);
    assert.deepEqual(await uuids('q=155501'), [second, first]);
    assert.deepEqual(await uuids('q=155501&type=CONTACTS'), [second]);
    assert.deepEqual(await uuids('q=155501&status=READ'), []);
    assert.deepEqual(await uuids('q=155501&direction=INBOUND'), []);
    assert.deepEqual(await uuids(`q=155501&chat_intro=${first}`), []);
    assert.deepEqual(await uuids('q=155501&created_before=2020-01-01T00:00:00Z'), []);
    assert.deepEqual(await uuids('q=155501&ordering=created'), [first, second]);
  });

  test('pages lead forwards and back, and rows inserted meanwhile move nothing', async () => {
    for (let row = 0; row < 7; row++) await send({ ...template, to_chatapp_number: '+99912345' });
    const get = async (url: string) => (await app.call('GET', url)).body;
    const first = await get('/v2/chatapp/messages/?to=99912345&page_size=3');
    assert.deepEqual([first.count, first.results.length, first.previous], [7, 3, null]);
    await send({ ...template, to_chatapp_number: '+99912345' });
    const second = await get(first.next);
    const third = await get(second.next);
    assert.equal(third.next, null);
    const all = [...first.results, ...second.results, ...third.results].map((row) => row.uuid);
    assert.equal(new Set(all).size, 7);
    assert.deepEqual(all, all.toSorted().reverse());
    assert.deepEqual((await get(third.previous)).results, second.results);
    assert.deepEqual((await get((await get(third.previous)).previous)).results, first.results);
  });

  test('404 for a cursor that is none, 400 for a bad filter', async () => {
    const bad = await app.call('GET', '/v2/chatapp/messages/?cursor=nonsense');
    assert.deepEqual([bad.status, bad.body.detail], [404, 'Invalid page.']);
    const filter = await app.call('GET', '/v2/chatapp/messages/?status=LOST&page_size=500');
    assert.equal(filter.status, 400);
    assert.deepEqual(Object.keys(filter.body).toSorted(), ['page_size', 'status']);
  });
});

describe('GET /v2/chatapp/messages/{uuid}/', () => {
  test('200 for its owner; 404 for another tenant, an unknown id and no id at all', async () => {
    const { body } = await send(template);
    const url = `/v2/chatapp/messages/${body.uuid}/`;
    assert.deepEqual((await app.call('GET', url)).body, body);
    assert.equal((await app.call('GET', url, undefined, { token: app.otherToken })).status, 404);
    assert.equal((await app.call('GET', '/v2/chatapp/messages/01890000-0000-7000-8000-000000000000/')).status, 404);
    assert.equal((await app.call('GET', '/v2/chatapp/messages/none/')).status, 404);
    const logs = await app.call('GET', `${url}status-logs/`);
    assert.deepEqual(
      logs.body.results.map((log: { status: string }) => log.status),
      ['QUEUED'],
    );
    assert.equal((await app.call('GET', `${url}status-logs/`, undefined, { token: app.otherToken })).status, 404);
  });
});
