import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { redactContent } from '../../src/platform/text/redact.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';

const secret = 'the door code is 4711';

describe('An account with redact_content', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ WEBHOOK_ALLOW: '127.0.0.0/8' });
  });
  after(() => app.close());
  const payloads = () =>
    app.deps.db
      .selectFrom('webhook_deliveries')
      .select(['type', 'payload'])
      .where('account_id', '=', app.accountId)
      .execute();
  const told = async (type: string) => {
    const rows = await until(payloads, (all) => all.some((row) => row.type === type));
    return rows.filter((row) => row.type === type);
  };
  const send = () =>
    app.call('POST', '/v2/chatapp/messages/', {
      chatapp_number: '+447700900001',
      to_chatapp_number: '+447700900123',
      type: 'TEXT',
      text: { body: secret },
    });

  it('tells webhooks and callbacks everything but what was said; the API shows it still', async () => {
    assert.equal((await app.call('PATCH', '/v2/account/', { redact_content: true })).body.redact_content, true);
    const hook = { url: 'http://127.0.0.1:9/hook', events: ['*'] };
    assert.equal((await app.call('POST', '/v2/webhooks/', hook)).status, 201);
    const message = await send();
    assert.equal(message.status, 201);
    assert.ok(JSON.stringify(message.body).includes(secret));
    const [status] = await told('chatapp.message.status');
    const { data } = JSON.parse(status!.payload);
    assert.deepEqual([data.uuid, data.to_chatapp_number], [message.body.uuid, '+447700900123']);
    assert.ok(JSON.stringify(data.message_data).includes('[redacted]'), status!.payload);
    const lead = {
      chatapp_number: '+447700900001',
      phone_number: '+447700900123',
      name: 'Ada',
      data: { wish: secret },
    };
    assert.equal((await app.call('POST', '/v2/chatapp/leads/', lead)).status, 201);
    await told('chatapp.lead.created');
    await app.call('POST', '/v2/sandbox/chatapp/messages/', {
      from: '+447700900123',
      to: '+447700900001',
      text: { body: secret },
    });
    await told('chatapp.message.received');
    for (const { type, payload } of await payloads()) assert.ok(!payload.includes('4711'), type);
    const events = await app.call('GET', '/v2/events/?page_size=200');
    assert.ok(!JSON.stringify(events.body).includes('4711'));
    const read = await app.call('GET', `/v2/chatapp/messages/${message.body.uuid}/`);
    assert.ok(JSON.stringify(read.body).includes(secret));
  });

  it('is told content again once it is switched off', async () => {
    await app.call('PATCH', '/v2/account/', { redact_content: false });
    await send();
    await until(payloads, (all) => all.some(({ payload }) => payload.includes('4711')));
  });
});

it('redaction keeps names and shapes, and blanks texts and numbers of content alone', () => {
  assert.deepEqual(
    redactContent({
      uuid: 'u',
      message_data: { type: 'LOCATION', latitude: 51.5, items: ['a', { b: '' }] },
      data: { answers: { q: 'a' }, status: 'SENT' },
    }),
    {
      uuid: 'u',
      message_data: { type: '[redacted]', latitude: null, items: ['[redacted]', { b: '' }] },
      data: { answers: { q: '[redacted]' }, status: 'SENT' },
    },
  );
});
