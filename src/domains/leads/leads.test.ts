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
    assert.deepEqual(rest, { ...lead, name: '', source: '', chat_intro: null, data: {} });
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
});
