import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const from = '+44 7700 900001';
const to = '+44 7700 900123';
const send = (more: object = {}, options?: Parameters<TestApp['call']>[3]) =>
  app.call('POST', '/v2/send-sms/', { from, to, text: 'Hello', ...more }, options);
const other = () => ({ token: app.otherToken });

describe('POST /v2/send-sms/', () => {
  test('201 with the record, which GET answers too, and another tenant does not see', async () => {
    const sent = await send({ text: 'Ten o’clock – ok?', meta_data: { order: 17 } });
    assert.equal(sent.status, 201);
    const { uuid, created, modified, ...rest } = sent.body;
    assert.deepEqual(rest, {
      direction: 'OUTBOUND',
      status: 'QUEUED',
      status_description: '',
      from,
      to,
      text: 'Ten o’clock – ok?',
      segments: 1,
      encoding: 'UCS2',
      keyword: null,
      meta_data: { order: 17 },
    });
    assert.deepEqual((await app.call('GET', `/v2/send-sms/${uuid}/`)).body, sent.body);
    assert.equal((await app.call('GET', `/v2/send-sms/${uuid}/`, undefined, other())).status, 404);
    assert.equal((await app.call('DELETE', `/v2/send-sms/${uuid}/`, undefined, other())).status, 404);
  });

  test('201 in the GSM alphabet with smart_encoding, and the text says what is sent', async () => {
    const { body } = await send({ text: 'Ten o’clock – ok?', smart_encoding: true });
    assert.deepEqual([body.text, body.encoding], ["Ten o'clock - ok?", 'GSM7']);
  });

  test('201 up to ten segments, 400 naming the count beyond', async () => {
    assert.equal((await send({ text: 'x'.repeat(1530) })).body.segments, 10);
    const refused = await send({ text: 'x'.repeat(1531) });
    assert.equal(refused.status, 400);
    assert.deepEqual(refused.body, { text: ['Ensure this text has no more than 10 segments; it has 11.'] });
    assert.deepEqual((await send({ text: `${'é'.repeat(669)}ł!` })).body, {
      text: ['Ensure this text has no more than 10 segments; it has 11.'],
    });
  });

  const bad: [string, object, object][] = [
    ['an empty text', { text: '' }, { text: ['This field may not be blank.'] }],
    ['what is no number', { to: 'mum' }, { to: ['Enter a valid phone number.'] }],
    [
      'a name that is too long',
      { from: 'Twelve chars' },
      { from: ['Enter a phone number, or a sender name of up to 11 characters with a letter among them.'] },
    ],
    [
      'digits that are neither',
      { from: '123' },
      { from: ['Enter a phone number, or a sender name of up to 11 characters with a letter among them.'] },
    ],
    [
      'a moment too far ahead',
      { send_at: '2999-01-01T00:00:00Z' },
      { send_at: ['Ensure this moment is within 90 days.'] },
    ],
    [
      'a private callback address',
      { callback_url: 'http://127.0.0.1/x' },
      { callback_url: ["This is not a public address. The server's setting WEBHOOK_ALLOW can allow it."] },
    ],
  ];
  for (const [what, more, errors] of bad) {
    test(`400 for ${what}, and nothing is written`, async () => {
      const before = (await app.call('GET', '/v2/sms-records/')).body.count;
      const answer = await send(more);
      assert.deepEqual([answer.status, answer.body], [400, errors]);
      assert.equal((await app.call('GET', '/v2/sms-records/')).body.count, before);
    });
  }

  test('400 with its own code for somebody who opted out of SMS; of another channel 201', async () => {
    await app.call('POST', '/v2/opt-outs/', { phone_number: '+447700900201', channel: 'SMS' });
    await app.call('POST', '/v2/opt-outs/', { phone_number: '+447700900202', channel: 'CHATAPP' });
    const refused = await send({ to: '+44 (7700) 900201' });
    assert.deepEqual([refused.status, refused.body.code], [400, 'recipient_opted_out']);
    assert.equal((await send({ to: '+447700900202' })).status, 201);
    assert.equal((await send({ to: '+447700900201' }, other())).status, 201);
  });

  test('the same Idempotency-Key sends once', async () => {
    const options = { headers: { 'idempotency-key': 'sms-1' } };
    const [first, second] = [await send({}, options), await send({}, options)];
    assert.deepEqual(second.body, first.body);
    assert.equal(second.headers['idempotent-replayed'], 'true');
  });
});

describe('DELETE /v2/send-sms/{uuid}/', () => {
  test('204 takes back what is queued; 409 once more', async () => {
    const { uuid } = (await send()).body;
    assert.equal((await app.call('DELETE', `/v2/send-sms/${uuid}/`)).status, 204);
    assert.equal((await app.call('GET', `/v2/send-sms/${uuid}/`)).body.status, 'CANCELLED');
    const again = await app.call('DELETE', `/v2/send-sms/${uuid}/`);
    assert.deepEqual([again.status, again.body.code], [409, 'sms_not_queued']);
  });
});

describe('POST /v2/send-sms/multiple/', () => {
  test('201 with one result each, in order; bad ones in their places, good ones sent', async () => {
    await app.call('POST', '/v2/opt-outs/', { phone_number: '+447700900203', channel: 'ALL' });
    const messages = [
      { from, to, text: 'One' },
      { from, to: 'mum', text: '' },
      'not even an object',
      { from, to: '+447700900203', text: 'Two' },
      { from, to, text: 'x'.repeat(2000) },
      { from, to, text: 'Three' },
    ];
    const { status, body } = await app.call('POST', '/v2/send-sms/multiple/', { messages });
    assert.equal(status, 201);
    const [one, fields, shape, optedOut, long, three] = body.results;
    assert.deepEqual([one.text, one.status, three.text, three.status], ['One', 'QUEUED', 'Three', 'QUEUED']);
    assert.deepEqual(Object.keys(fields.errors).toSorted(), ['text', 'to']);
    assert.ok(shape.errors.non_field_errors);
    assert.equal(optedOut.errors.code, 'recipient_opted_out');
    assert.match(long.errors.text[0], /it has 14/);
  });

  test('201 for one text to many', async () => {
    const body = { from, to: [to, 'mum', '+447700900124'], text: 'Open on Sunday', meta_data: { round: 1 } };
    const { results } = (await app.call('POST', '/v2/send-sms/multiple/', body)).body;
    assert.deepEqual(
      results.map((one: { to?: string; errors?: object }) => one.to ?? one.errors),
      [to, { to: ['Enter a valid phone number.'] }, '+447700900124'],
    );
    assert.deepEqual(results[2].meta_data, { round: 1 });
  });

  test('400 for neither form, for both, for none and for too many', async () => {
    const post = (body: object) => app.call('POST', '/v2/send-sms/multiple/', body);
    assert.deepEqual(Object.keys((await post({ text: 'x' })).body).toSorted(), ['from', 'to']);
    assert.deepEqual((await post({ messages: [{}], to: [to] })).body, {
      non_field_errors: ['Give either messages or to.'],
    });
    assert.equal((await post({ messages: [] })).status, 400);
    assert.equal((await post({ messages: Array(1001).fill({ from, to, text: 'x' }) })).status, 400);
  });
});

describe('GET /v2/sms-records/', () => {
  test('finds by sender, recipient, either, direction and status, and as CSV', async () => {
    await send({ from: 'Acme Ltd', to: '+447700900301' });
    await send({ from: '+447700900301', to: '+447700900302' });
    const found = async (query: string) =>
      (await app.call('GET', `/v2/sms-records/?ordering=created&${query}`)).body.results.map(
        (one: { from: string; to: string }) => `${one.from} > ${one.to}`,
      );
    const [named, numbered] = ['Acme Ltd > +447700900301', '+447700900301 > +447700900302'];
    assert.deepEqual(await found('from=acme%20ltd'), [named]);
    assert.deepEqual(await found('to=%2B44%207700%20900302'), [numbered]);
    assert.deepEqual(await found('number=447700900301'), [named, numbered]);
    assert.deepEqual(await found('number=447700900301&direction=INBOUND'), []);
    assert.deepEqual(await found('number=447700900301&status=QUEUED'), [named, numbered]);
    assert.deepEqual(await found('number=447700900301&status=SENT'), []);
    const csv = await app.call('GET', '/v2/sms-records/?from=acme%20ltd', undefined, {
      headers: { accept: 'text/csv' },
    });
    assert.match(csv.body, /^uuid,direction,status,.*\r\n[^,]+,OUTBOUND,QUEUED,,Acme Ltd,\+447700900301,Hello,1,GSM7/);
    const strange = await app.call('GET', '/v2/sms-records/?number=447700900301', undefined, other());
    assert.equal(strange.body.count, 0);
  });
});

describe('/v2/sms-senders/', () => {
  test('201, the same once more; listed; 204; 400 for what is no name', async () => {
    const first = await app.call('POST', '/v2/sms-senders/', { sender: 'A&B 24-7' });
    assert.equal(first.status, 201);
    assert.deepEqual((await app.call('POST', '/v2/sms-senders/', { sender: 'a&b 24-7' })).body, first.body);
    assert.deepEqual((await app.call('GET', '/v2/sms-senders/')).body.results, [first.body]);
    for (const sender of ['', '12345', 'Twelve chars', 'ta\tb', 'Ünited']) {
      assert.equal((await app.call('POST', '/v2/sms-senders/', { sender })).status, 400, sender);
    }
    const path = `/v2/sms-senders/${first.body.uuid}/`;
    assert.equal((await app.call('DELETE', path, undefined, other())).status, 404);
    assert.equal((await app.call('DELETE', path)).status, 204);
    assert.equal((await app.call('DELETE', path)).status, 404);
  });
});
