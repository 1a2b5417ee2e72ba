import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { maskContent } from '../../src/platform/text/redact.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { dumpTables } from '../kit/postgres/dump.ts';
import { until } from '../kit/until.ts';

const business = '+447700900001';
const person = '+447700900123';

describe('A sensitive message', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ WEBHOOK_ALLOW: '127.0.0.0/8' });
    const hook = { url: 'http://127.0.0.1:9/hook', events: ['*'] };
    assert.equal((await app.call('POST', '/v2/webhooks/', hook)).status, 201);
  });
  after(() => app.close());
  /** Tables with a text, but for the phones of the sandbox: what a phone got, its owner reads. */
  const tablesWith = async (text: string): Promise<string[]> =>
    [...(await dumpTables(app))].flatMap(([name, rows]) =>
      rows.includes(text) && !name.includes('sandbox_') ? [name] : [],
    );
  const awaitMasked = (code: string) =>
    until(
      () => tablesWith(code),
      (tables) => tables.length === 0,
    );

  it('of SMS is shown until it is delivered, told to no webhook, and then nowhere', async () => {
    const code = 'code-771204';
    const sent = await app.call('POST', '/v2/send-sms/', { from: 'Parley', to: person, text: code, sensitive: true });
    assert.deepEqual([sent.status, sent.body.text], [201, code]);
    const plain = await app.call('POST', '/v2/send-sms/', { from: 'Parley', to: person, text: 'We are open.' });
    const read = await until(
      () => app.call('GET', `/v2/send-sms/${sent.body.uuid}/`),
      ({ body }) => body.status === 'DELIVERED',
    );
    assert.equal(read.body.text, '[masked]');
    await awaitMasked(code);
    const phone = await app.call('GET', `/v2/sandbox/phones/${encodeURIComponent(person)}/`);
    assert.ok(JSON.stringify(phone.body).includes(code), 'the person got it');
    await until(
      () => app.call('GET', `/v2/send-sms/${plain.body.uuid}/`),
      ({ body }) => body.status === 'DELIVERED' && body.text === 'We are open.',
    );
    const exported = await app.call('GET', `/v2/people/${encodeURIComponent(person)}/export/`);
    assert.ok(!JSON.stringify(exported.body).includes(code));
  });

  it('of the category AUTHENTICATION is one without being told so', async () => {
    const code = '8841973';
    const template = {
      ...{ chatapp_number: business, name: 'one_time_code', language_code: 'en_GB', category: 'AUTHENTICATION' },
      components: [
        { type: 'BODY', add_security_recommendation: true },
        { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }] },
      ],
    };
    const made = await app.call('POST', '/v2/chatapp/message-templates/', template);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    await until(
      () => app.call('GET', `/v2/chatapp/message-templates/${made.body.uuid}/`),
      ({ body }) => body.status === 'APPROVED',
    );
    const sent = await app.call('POST', '/v2/chatapp/messages/', {
      ...{ chatapp_number: business, to_chatapp_number: person, type: 'TEMPLATE' },
      template: {
        template_name: 'one_time_code',
        language_code: 'en_GB',
        components: [
          { type: 'body', parameters: [{ type: 'text', text: code }] },
          { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: code }] },
        ],
      },
    });
    assert.equal(sent.status, 201, JSON.stringify(sent.body));
    assert.ok(JSON.stringify(sent.body.message_data).includes(code));
    const read = await until(
      () => app.call('GET', `/v2/chatapp/messages/${sent.body.uuid}/`),
      ({ body }) => body.status === 'READ' || body.status === 'DELIVERED',
    );
    assert.equal(read.body.message_data.template_name, 'one_time_code');
    assert.ok(!JSON.stringify(read.body).includes(code));
    await awaitMasked(code);
  });

  it('that failed for good is masked, one that waits is not', async () => {
    const [failing, waiting] = ['code-failing-1', 'code-waiting-2'];
    const request = { from: 'Parley', to: person, sensitive: true };
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const held = await app.call('POST', '/v2/send-sms/', { ...request, text: waiting, send_at: later });
    const cancelled = await app.call('POST', '/v2/send-sms/', { ...request, text: failing, send_at: later });
    assert.equal((await app.call('DELETE', `/v2/send-sms/${cancelled.body.uuid}/`)).status < 300, true);
    await awaitMasked(failing);
    assert.equal((await app.call('GET', `/v2/send-sms/${held.body.uuid}/`)).body.text, waiting);
    const { rows } = await sql<{ sensitive: number }>`
      select sensitive from sms where uuid = ${held.body.uuid}`.execute(app.deps.db);
    assert.equal(rows[0]!.sensitive, 1);
  });

  it('has a flag that is true or false', async () => {
    const refused = await app.call('POST', '/v2/send-sms/', { from: 'Parley', to: person, text: 'x', sensitive: 7 });
    assert.deepEqual([refused.status, Object.keys(refused.body)], [400, ['sensitive']]);
  });
});

it('masking keeps what names a template and its parts', () => {
  assert.deepEqual(
    maskContent({
      template_name: 'otp',
      language_code: 'en',
      components: [{ type: 'body', parameters: [{ type: 'text', text: '123456' }, { amount: 5 }] }],
    }),
    {
      template_name: 'otp',
      language_code: 'en',
      components: [{ type: 'body', parameters: [{ type: 'text', text: '[masked]' }, { amount: null }] }],
    },
  );
});
