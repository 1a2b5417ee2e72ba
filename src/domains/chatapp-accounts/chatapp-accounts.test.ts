import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { findSender, senderOf } from './senders.ts';

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
      'phone_number_id',
      'business_account_id',
      'app_id',
      'webhook_path',
      'quality',
      'adopted',
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

  const live = {
    carrier: 'cloud-api',
    phone_number_id: '1000000000000003',
    business_account_id: '1000000000000002',
    app_id: '1000000000000001',
    access_token: 'EAAG-top-secret',
    app_secret: 'app-top-secret',
    verify_token: 'verify-top-secret',
  };

  test('a number of a live carrier is registered with ids and secrets; the secrets are stored sealed and never shown', async () => {
    const { status, body } = await create({ chatapp_number: '+34900111222', ...live });
    assert.equal(status, 201);
    assert.equal(body.carrier, 'cloud-api');
    assert.equal(body.phone_number_id, live.phone_number_id);
    assert.equal(body.webhook_path, `/carriers/cloud-api/${body.uuid}/webhook`);
    const shown = JSON.stringify([body, (await app.call('GET', url)).body]);
    const row = await app.deps.db
      .selectFrom('chatapp_accounts')
      .selectAll()
      .where('uuid', '=', body.uuid)
      .executeTakeFirstOrThrow();
    for (const place of [shown, JSON.stringify(row)]) assert.doesNotMatch(place, /top-secret/);
    const sender = senderOf(app.deps, row);
    assert.equal(sender.settings['access_token'], live.access_token);

    await app.call('PATCH', `${url}${body.uuid}/`, { access_token: 'a new token' });
    const changed = await findSender(app.deps, row.account_id, row.uuid);
    assert.deepEqual(changed?.settings, { ...sender.settings, access_token: 'a new token' });
  });

  test('400 names each id and secret that is missing, and those that a carrier has no use for', async () => {
    const missing = await create({ chatapp_number: '+34900111223', carrier: 'cloud-api', app_id: '1' });
    assert.equal(missing.status, 400);
    assert.deepEqual(Object.keys(missing.body).sort(), [
      'access_token',
      'app_secret',
      'business_account_id',
      'phone_number_id',
      'verify_token',
    ]);
    const needless = await create({ chatapp_number: '+34900111224', access_token: 'x' });
    assert.deepEqual([needless.status, Object.keys(needless.body)], [400, ['access_token']]);
    const unknown = await create({ chatapp_number: '+34900111225', carrier: 'pigeon' });
    assert.deepEqual(unknown.body, { carrier: ['"pigeon" is not a valid choice.'] });
  });
});
