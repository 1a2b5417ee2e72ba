import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../testing.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const url = '/v2/chatapp/accounts/';
const create = (body: object) => app.call('POST', url, body);
const send = (from: string) =>
  app.call('POST', '/v2/chatapp/messages/', {
    chatapp_number: from,
    to_chatapp_number: '+447700900123',
    type: 'TEMPLATE',
    template: { template_name: 'hello' },
  });

describe('/v2/chatapp/accounts/', () => {
  test('a number is registered, changed, replaced and deleted', async () => {
    const { status, body } = await create({
      chatapp_number: '+44 20 7946 0001',
      name: 'Sales',
      messages_per_second: 5,
    });
    assert.equal(status, 201);
    assert.deepEqual(Object.keys(body), [
      'uuid',
      'chatapp_number',
      'carrier',
      'name',
      'language_code',
      'messages_per_second',
      'paused',
      'created',
      'modified',
    ]);
    const one = `${url}${body.uuid}/`;
    assert.deepEqual((await app.call('GET', one)).body, body);
    const patched = (await app.call('PATCH', one, { language_code: 'fr' })).body;
    assert.deepEqual(patched, { ...body, language_code: 'fr', modified: patched.modified });
    const replaced = (await app.call('PUT', one, { name: 'Lettings' })).body;
    assert.deepEqual([replaced.name, replaced.language_code, replaced.messages_per_second], ['Lettings', null, 80]);
    assert.equal((await app.call('DELETE', one)).status, 204);
    assert.equal((await app.call('GET', one)).status, 404);
  });

  test('400 for a number that is registered already, in whatever notation', async () => {
    await create({ chatapp_number: '+442079460002' });
    const { status, body } = await create({ chatapp_number: '+44 (20) 7946-0002' });
    assert.deepEqual([status, Object.keys(body)], [400, ['chatapp_number']]);
  });

  test('a number in use cannot be deleted, and its language is the next message’s at once', async () => {
    await send('+442079460003');
    const { results } = (await app.call('GET', `${url}?chatapp_number=%2B442079460003`)).body;
    const one = `${url}${results[0].uuid}/`;
    const refused = await app.call('DELETE', one);
    assert.deepEqual([refused.status, refused.body.code], [409, 'chatapp_account_in_use']);
    await app.call('PATCH', one, { language_code: 'de' });
    const again = await app.call('POST', '/v2/chatapp/messages/', {
      chatapp_number: '+442079460003',
      to_chatapp_number: '+447700900123',
      type: 'TEMPLATE',
      template: { template_name: 'another' },
    });
    assert.equal(again.body.message_data.language_code, 'de');
  });

  test('the queue of a paused sender grows and can be looked at', async () => {
    const { uuid } = (await create({ chatapp_number: '+442079460004', messages_per_second: 4 })).body;
    assert.equal((await app.call('POST', `${url}${uuid}/pause/`)).body.paused, true);
    const first = (await send('+442079460004')).body;
    await send('+442079460004');
    const { body } = await app.call('GET', `${url}${uuid}/queue/`);
    assert.deepEqual(body, { depth: 2, oldest: first.created, messages_per_second: 4, eta_seconds: 0.5, paused: true });
    assert.equal((await app.call('GET', `${url}${uuid}/queue/`, undefined, { token: app.otherToken })).status, 404);
  });
});
