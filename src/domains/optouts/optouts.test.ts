import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { until } from '../../../test/kit/until.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp();
});
after(() => app.close());

const optOut = (phone_number: string, more: object = {}) =>
  app.call('POST', '/v2/opt-outs/', { phone_number, ...more });
const send = (to: string, options?: Parameters<TestApp['call']>[3]) =>
  app.call(
    'POST',
    '/v2/chatapp/messages/',
    { chatapp_number: '+447700900001', to_chatapp_number: to, type: 'TEMPLATE', template: { template_name: 'offer' } },
    options,
  );

describe('/v2/opt-outs/', () => {
  test('201 with where it came from; once more gives the same; 204 opts in again, and the whole story is kept', async () => {
    const first = await optOut('+44 7700 900 301', { channel: 'CHATAPP', text: 'Asked us to stop' });
    assert.equal(first.status, 201);
    const { uuid, created, ...rest } = first.body;
    assert.deepEqual(rest, {
      phone_number: '+44 7700 900 301',
      channel: 'CHATAPP',
      source: 'API',
      text: 'Asked us to stop',
    });
    assert.deepEqual((await optOut('+447700900301', { channel: 'CHATAPP' })).body, first.body);
    assert.deepEqual((await app.call('GET', '/v2/opt-outs/?number=447700900301')).body.results, [first.body]);
    const one = `/v2/opt-outs/${uuid}/`;
    assert.equal((await app.call('GET', one, undefined, { token: app.otherToken })).status, 404);
    assert.equal((await app.call('DELETE', one, undefined, { token: app.otherToken })).status, 404);
    assert.equal((await app.call('DELETE', one)).status, 204);
    assert.equal((await app.call('GET', one)).status, 404);
    const events = (await app.call('GET', '/v2/opt-out-events/?number=%2B447700900301&ordering=created')).body.results;
    assert.deepEqual(
      events.map((event: { action: string }) => event.action),
      ['OPT_OUT', 'OPT_IN'],
    );
    assert.equal(events[0].text, 'Asked us to stop');
  });

  test('400 for what is no number or no channel', async () => {
    assert.deepEqual(Object.keys((await optOut('mum', { channel: 'FAX' })).body).toSorted(), [
      'channel',
      'phone_number',
    ]);
  });
});

describe('a person who has opted out', () => {
  test('gets no message: 400 with its own code, nothing written; another channel’s opt-out does not count', async () => {
    await optOut('+447700900302');
    const ledger = (await app.call('GET', '/v2/account/ledger/')).body;
    const refused = await send('+44 (7700) 900302');
    assert.deepEqual([refused.status, refused.body.code], [400, 'recipient_opted_out']);
    assert.equal((await app.call('GET', '/v2/account/ledger/')).body.accepted, ledger.accepted);
    assert.equal((await send('+447700900302', { token: app.otherToken })).status, 201);
    await optOut('+447700900303', { channel: 'SMS' });
    assert.equal((await send('+447700900303')).status, 201);
  });

  test('gets none that was accepted before either', async () => {
    const { uuid: sender } = (await app.call('POST', '/v2/chatapp/accounts/', { chatapp_number: '+447700900009' }))
      .body;
    await app.call('POST', `/v2/chatapp/accounts/${sender}/pause/`);
    const body = { chatapp_number: '+447700900009', type: 'TEMPLATE', template: { template_name: 'offer' } };
    const [stopped, other] = await Promise.all(
      ['+447700900304', '+447700900305'].map(
        async (to) => (await app.call('POST', '/v2/chatapp/messages/', { ...body, to_chatapp_number: to })).body.uuid,
      ),
    );
    await optOut('+447700900304');
    await app.call('POST', `/v2/chatapp/accounts/${sender}/resume/`);
    const ended = (uuid: string) =>
      until(
        async () => (await app.call('GET', `/v2/chatapp/messages/${uuid}/`)).body,
        ({ status }) => status !== 'QUEUED',
      );
    await ended(other);
    const { status, status_description } = await ended(stopped);
    assert.deepEqual(
      [status, status_description],
      ['FAILED', 'The recipient has opted out. (code recipient_opted_out)'],
    );
    assert.equal((await app.call('GET', '/v2/sandbox/phones/+447700900304/')).body.count, 0);
  });
});
