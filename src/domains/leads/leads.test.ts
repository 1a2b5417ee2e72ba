import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const submit = (body: object) => app.call('POST', '/v2/chatapp/leads/', body);
const lead = { chatapp_number: '+44 7700 900001', phone_number: '+44 7700 900 401' };

describe('/v2/chatapp/leads/', () => {
  test('201 with everything that was given, and empty where nothing was', async () => {
    const { status, body } = await submit(lead);
    assert.equal(status, 201);
    const { uuid, created, modified, ...rest } = body;
    assert.equal(modified, created);
    assert.deepEqual(rest, {
      ...lead,
      name: '',
      source: '',
      chat_intro: null,
      data: {},
      status: 'NEW',
      owner: '',
      notes: '',
      answers: {},
    });
  });

  test('found by number in any notation, by intro, and by nobody else', async () => {
    const intro = (await app.call('POST', '/v2/chatapp/chat-intros/', { chatapp_number: '+447700900001' })).body.uuid;
    const full = {
      ...lead,
      phone_number: '+447700900402',
      name: 'Ana',
      source: 'ad',
      chat_intro: intro,
      data: { a: [1] },
    };
    const { body } = await submit(full);
    const list = async (query: string, token?: string) =>
      (await app.call('GET', `/v2/chatapp/leads/?${query}`, undefined, token ? { token } : {})).body.results;
    assert.deepEqual(await list('number=%2B44(7700)900402'), [body]);
    assert.deepEqual(await list(`chat_intro=${intro}`), [body]);
    assert.deepEqual(await list('number=447700900402', app.otherToken), []);
  });

  test('400 for an intro that is not there, and for what is no number', async () => {
    const unknown = '01890000-0000-7000-8000-000000000000';
    assert.deepEqual((await submit({ ...lead, chat_intro: unknown })).body, { chat_intro: ['Not found.'] });
    assert.deepEqual(Object.keys((await submit({ chatapp_number: 'x' })).body).toSorted(), [
      'chatapp_number',
      'phone_number',
    ]);
  });

  test('one lead for each person and intro, which is brought up to date', async () => {
    const intro = (await app.call('POST', '/v2/chatapp/chat-intros/', { chatapp_number: '+447700900001' })).body.uuid;
    const first = await submit({ ...lead, chat_intro: intro, name: 'Ana', data: { budget: '1', town: 'Bath' } });
    const again = await submit({ ...lead, phone_number: '07700 900401', chat_intro: intro, data: { budget: '2' } });
    assert.equal(again.status, 201, JSON.stringify(again.body));
    assert.equal(again.body.uuid, first.body.uuid);
    assert.deepEqual([again.body.name, again.body.data], ['Ana', { budget: '2', town: 'Bath' }]);
  });

  test('with an intro it starts the session', async () => {
    const request = {
      chatapp_number: '+447700900001',
      notify_type: 'CHATAPP',
      notify_to_phone_number: '+447700900499',
      notify_chatapp_template_name: 'new_lead',
    };
    const intro = (await app.call('POST', '/v2/chatapp/chat-intros/', request)).body.uuid;
    const { status, body } = await submit({ ...lead, chat_intro: intro, name: 'Ana', data: { Town: 'Bath' } });
    assert.equal(status, 201, JSON.stringify(body));
    const { results } = (await app.call('GET', `/v2/chatapp/chat-intros/${intro}/sessions/`)).body;
    assert.deepEqual(
      results.map((one: { uuid: string; status: string; variables: { Town: string } }) => [
        one.status,
        one.variables.Town,
      ]),
      [['NOTIFIED', 'Bath']],
    );
    assert.equal(body.data.session, results[0].uuid);
  });

  test('GET, PATCH and DELETE one; nobody else may', async () => {
    const { uuid } = (await submit({ ...lead, phone_number: '+447700900409' })).body;
    const place = `/v2/chatapp/leads/${uuid}/`;
    const foreign = { token: app.otherToken };
    assert.equal((await app.call('GET', place, undefined, foreign)).status, 404);
    assert.equal((await app.call('PATCH', place, { status: 'WON' }, foreign)).status, 404);
    assert.equal((await app.call('DELETE', place, undefined, foreign)).status, 404);
    const change = { status: 'OPEN', owner: 'ada@example.com', notes: 'Viewing on Friday.', answers: { when: 'May' } };
    const changed = await app.call('PATCH', place, change);
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.deepEqual((await app.call('GET', place)).body, changed.body);
    assert.partialDeepStrictEqual(changed.body, change);
    const listed = (await app.call('GET', '/v2/chatapp/leads/?status=OPEN&owner=ada@example.com')).body.results;
    assert.deepEqual(listed, [changed.body]);
    assert.deepEqual((await app.call('PATCH', place, { status: 'MAYBE' })).body, {
      status: ['"MAYBE" is not a valid choice.'],
    });
    assert.equal((await app.call('DELETE', place)).status, 204);
    assert.equal((await app.call('GET', place)).status, 404);
    assert.equal((await app.call('DELETE', place)).status, 404);
  });

  test('as CSV, every row that the filters let through', async () => {
    await submit({ ...lead, phone_number: '+447700900410', name: '=cmd()' });
    const { body, status } = await app.call('GET', '/v2/chatapp/leads/?number=%2B447700900410', undefined, {
      headers: { accept: 'text/csv' },
    });
    assert.equal(status, 200);
    const [header, row] = (body as string).split('\r\n');
    assert.match(
      header!,
      /^uuid,chatapp_number,phone_number,name,source,chat_intro,data,status,owner,notes,answers,created,modified$/,
    );
    assert.match(row!, /'=cmd\(\)/);
  });
});
