import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { makeLog } from '../../src/platform/log.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';

const canary = 'canary-zulu-9315';
const business = '+447700900001';
const person = '+447700900123';

describe('The log of the server, at every level,', () => {
  let app: TestApp;
  let lines = '';
  before(async () => {
    app = await startTestApp(
      { LOG_LEVEL: 'trace', WEBHOOK_ALLOW: '127.0.0.0/8' },
      {
        logTo: {
          write(line) {
            lines += line;
          },
        },
      },
    );
    const hook = { url: 'http://127.0.0.1:9/hook', events: ['*'] };
    assert.equal((await app.call('POST', '/v2/webhooks/', hook)).status, 201);
  });
  after(() => app.close());
  const send = (content: object) =>
    app.call('POST', '/v2/chatapp/messages/', { chatapp_number: business, to_chatapp_number: person, ...content });
  const finished = (uuid: string) =>
    until(
      () => app.call('GET', `/v2/chatapp/messages/${uuid}/`),
      ({ body }) => ['DELIVERED', 'READ', 'FAILED'].includes(body.status),
    );

  it('has nothing of what messages of any kind say, accepted, refused, delivered or received', async () => {
    const media = { url: `https://files.invalid/${canary}.jpg`, caption: canary };
    const button = { type: 'reply', reply: { id: 'one', title: 'Yes' } };
    const kinds = [
      { type: 'TEXT', text: { body: canary } },
      { type: 'IMAGE', media },
      { type: 'LOCATION', location: { latitude: 51.5, longitude: 0, name: canary, address: canary } },
      { type: 'CONTACTS', contacts: [{ name: { formatted_name: canary, first_name: canary } }] },
      {
        type: 'INTERACTIVE',
        interactive: { type: 'button', body: { text: canary }, action: { buttons: [button] } },
      },
      {
        type: 'TEMPLATE',
        template: {
          template_name: 'welcome',
          components: [{ type: 'body', parameters: [{ type: 'text', text: canary }] }],
        },
      },
      // Refused.
      { type: 'TEXT', text: { body: [canary] } },
      { type: canary },
      { type: 'TEXT', text: { body: canary }, callback_url: `http://10.0.0.1/${canary}` },
    ];
    const answers = await Promise.all(kinds.map(send));
    const accepted = answers.filter(({ status }) => status === 201);
    assert.ok(accepted.length >= 5, JSON.stringify(answers.map(({ body }) => body)));
    for (const { body } of accepted) await finished(body.uuid);
    await app.call('POST', '/v2/send-sms/', `{"text": "${canary}`);
    const sms = await app.call('POST', '/v2/send-sms/', { from: 'Parley', to: person, text: canary, sensitive: true });
    await until(
      () => app.call('GET', `/v2/send-sms/${sms.body.uuid}/`),
      ({ body }) => body.status === 'DELIVERED',
    );
    for (const written of [{ text: { body: canary } }, { media: { type: 'image', url: media.url } }])
      await app.call('POST', '/v2/sandbox/chatapp/messages/', { from: person, to: business, ...written });
    const job = { type: 'sms.send', input: { from: 'Parley', to: [person], text: canary } };
    const { body } = await app.call('POST', '/v3/jobs/', job);
    await until(
      () => app.call('GET', `/v3/jobs/${body.id}/`),
      ({ body }) => body.status === 'SUCCEEDED',
    );
    assert.ok(lines.length > 0, 'something is logged');
    assert.ok(
      !lines.includes(canary),
      lines.split('\n').find((line) => line.includes(canary)),
    );
  });

  it('has nothing of a row that the database refuses', async () => {
    const { db } = app.deps;
    await sql`alter table sms add constraint refused check (direction <> 'OUTBOUND') not valid`.execute(db);
    const refused = await app.call('POST', '/v2/send-sms/', { from: 'Parley', to: person, text: canary });
    await sql`alter table sms drop constraint refused`.execute(db);
    assert.equal(refused.status, 500);
    assert.ok(lines.includes('refused'), 'the error is logged');
    assert.ok(
      !lines.includes(canary),
      lines.split('\n').find((line) => line.includes(canary)),
    );
  });
});

it('a database error is logged without the values it quotes', () => {
  const told: string[] = [];
  const log = makeLog({ level: 'info', pretty: false, to: { write: (text) => void told.push(text) } });
  const quoted = { severity: 'ERROR', code: '23514', detail: `Failing row contains (${canary}).`, table: 'sms' };
  log.error({ err: Object.assign(new Error('violates check constraint'), quoted) }, 'Failed');
  log.error(
    { err: Object.assign(new Error('invalid'), { ...quoted, where: `JSON data, line 1: ${canary}` }) },
    'Failed',
  );
  const line = told.join('');
  assert.ok(!line.includes(canary), line);
  assert.match(line, /"code":"23514","table":"sms"/);
});
