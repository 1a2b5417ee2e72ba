import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { destinationOf } from './destination.ts';
import { mayAnswerHelp } from './heed.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const url = '/v2/account/safeguards/';
const open = {
  allowed_countries: null,
  blocked_prefixes: [],
  highest_price_class: 'PREMIUM',
  senders: [],
  caps: [],
  prices: [],
  max_concurrent_calls: null,
  pumping_recipients: null,
  otp_conversion: null,
  help_replies_per_hour: 5,
};
const shown = { ...open, feedback_since: null };
const set = async (change: object) => {
  const answer = await app.call('PATCH', url, change);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
};
beforeEach(async () => {
  await set(open);
  for (const table of ['safeguard_counts', 'safeguard_ranges', 'safeguard_incidents'] as const) {
    await app.deps.db.deleteFrom(table).execute();
  }
});

const sms = (to: string, more: object = {}, options?: Parameters<TestApp['call']>[3]) =>
  app.call('POST', '/v2/send-sms/', { from: 'Parley', to, text: 'Hello', ...more }, options);
const message = (to: string) =>
  app.call('POST', '/v2/chatapp/messages/', {
    chatapp_number: '+447700900001',
    to_chatapp_number: to,
    type: 'TEMPLATE',
    template: { template_name: 'offer' },
  });
const call = (to: string) => app.call('POST', '/v2/voice/calls/', { from: '+447700900001', to, tts: 'Hello' });
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const incidents = async (query = '') => {
  await app.deps.incidents.write();
  return (await app.call('GET', `/v2/safeguard-incidents/?${query}`)).body.results;
};
const explain = async (request: object) => (await app.call('POST', `${url}explain/`, request)).body;

describe('/v2/account/safeguards/', () => {
  test('allows everything until it is changed; a change of one field leaves the others', async () => {
    assert.deepEqual((await app.call('GET', url, undefined, { token: app.otherToken })).body, shown);
    await set({ allowed_countries: ['GB'] });
    await set({ pumping_recipients: 20 });
    assert.deepEqual((await app.call('GET', url)).body, {
      ...shown,
      allowed_countries: ['GB'],
      pumping_recipients: 20,
    });
    assert.deepEqual((await app.call('GET', url, undefined, { token: app.otherToken })).body, shown);
  });

  test('400 names what is wrong, and changes nothing', async () => {
    const cap = { channel: 'SMS', per: 'ACCOUNT', window: 'HOUR', measure: 'COUNT', max: 1 };
    for (const [change, field] of [
      [{ allowed_countries: ['UK'] }, 'allowed_countries'],
      [{ blocked_prefixes: ['44'] }, 'blocked_prefixes'],
      [{ highest_price_class: 'CHEAP' }, 'highest_price_class'],
      [{ caps: [{ ...cap, window: 'YEAR' }] }, 'caps'],
      [{ caps: [cap, { ...cap, max: 2 }] }, 'caps'],
      [{ prices: [{ channel: 'SMS', prefix: '+0', price: 1 }] }, 'prices'],
      [{ pumping_recipients: 1000 }, 'pumping_recipients'],
      [{ otp_conversion: { min_recipients: 20 } }, 'otp_conversion'],
      [{ otp_conversion: { min_recipients: 1, min_percent: 10 } }, 'otp_conversion'],
    ] as const) {
      const { status, body } = await app.call('PATCH', url, change);
      assert.deepEqual([status, Object.keys(body)], [400, [field]], JSON.stringify(body));
    }
    assert.deepEqual((await app.call('GET', url)).body, shown);
  });
});

describe('a destination that is not allowed', () => {
  test('is refused on every channel with 403, is not stored, and is counted once an hour', async () => {
    await set({ allowed_countries: ['GB', 'IE'] });
    const before = (await app.call('GET', '/v2/account/ledger/')).body;
    for (const send of [sms, message, call]) {
      const { status, body } = await send('+33 6 12 34 56 78');
      assert.deepEqual([status, body.code], [403, 'destination_not_allowed']);
      assert.match(body.detail, /do not allow sending to FR\.$/);
    }
    assert.equal((await sms('0033612345678')).status, 403);
    assert.deepEqual((await app.call('GET', '/v2/account/ledger/')).body, before);
    assert.equal((await sms('+447700900123')).status, 201);
    assert.equal((await sms('60777')).status, 201, 'a short code is of the country it is sent in');
    const rows = await incidents('rule=COUNTRY&ordering=created');
    const found = rows.map((row: Record<string, unknown>) => [
      row['channel'],
      row['subject'],
      row['status'],
      row['refused'],
    ]);
    assert.deepEqual(found.toSorted(), [
      ['CHATAPP', 'FR', 'NOTED', 1],
      ['SMS', 'FR', 'NOTED', 2],
      ['VOICE', 'FR', 'NOTED', 1],
    ]);
    const events = (await app.call('GET', '/v2/events/?kind=safeguard.refused')).body.results;
    assert.equal(events.length, 3);
    assert.equal(JSON.stringify(events).includes('612345678'), false, 'the timeline names nobody');
    const one = `/v2/safeguard-incidents/${rows[0].uuid}/`;
    assert.equal((await app.call('GET', one)).status, 200);
    assert.equal((await app.call('GET', one, undefined, { token: app.otherToken })).status, 404);
    assert.deepEqual(codeOf(await app.call('POST', `${one}review/`, { status: 'BLOCKED' })), [
      409,
      'nothing_to_review',
    ]);
  });

  test('is refused although the request has an Idempotency-Key, and is noted although its transaction is rolled back', async () => {
    await set({ blocked_prefixes: ['+4477009008'] });
    const answer = await sms('07700 900888', {}, { headers: { 'idempotency-key': 'once' } });
    assert.deepEqual(codeOf(answer), [403, 'destination_not_allowed']);
    assert.equal((await sms('07700 900788')).status, 201);
    assert.deepEqual(
      (await incidents()).map((row: { rule: string; subject: string }) => [row.rule, row.subject]),
      [['PREFIX', '+4477009008']],
    );
  });

  test('may be that of one sender', async () => {
    await set({
      senders: [
        { sender: 'PARLEY', allowed_countries: ['IE'] },
        { sender: '07700 900002', blocked_prefixes: ['+44'] },
      ],
    });
    assert.equal((await sms('+447700900123')).status, 403);
    assert.equal((await sms('+353851234567')).status, 201);
    assert.equal((await sms('+447700900123', { from: 'Other' })).status, 201);
    assert.equal((await sms('+447700900123', { from: '+447700900002' })).status, 403);
  });

  test('may be a premium number, by what kind of number it is', async () => {
    assert.deepEqual(destinationOf('447700900123'), { country: 'GB', priceClass: 'STANDARD' });
    assert.deepEqual(destinationOf('449098790123'), { country: 'GB', priceClass: 'PREMIUM' });
    assert.deepEqual(destinationOf('881612345678'), { country: undefined, priceClass: 'PREMIUM' });
    assert.deepEqual(destinationOf('GB.abc123'), { country: 'GB', priceClass: 'STANDARD' });
    await set({ highest_price_class: 'STANDARD' });
    assert.deepEqual(codeOf(await call('+449098790123')), [403, 'destination_not_allowed']);
    assert.equal((await call('+447700900123')).status, 201);
  });
});

describe('a cap', () => {
  const cap = { channel: 'SMS', per: 'ACCOUNT', window: 'DAY', measure: 'COUNT', max: 3 };

  test('lets exactly as many through as it says, also of many at once and in many statements', async () => {
    await set({ caps: [cap] });
    const countSms = async () => (await app.call('GET', '/v2/sms-records/')).body.count;
    const before = await countSms();
    const body = { from: 'Parley', to: ['+447700900201', '+447700900202'], text: 'Hello' };
    const many = () => app.call('POST', '/v2/send-sms/multiple/', body);
    await Promise.all([many(), many(), sms('+447700900203'), sms('+447700900204')]);
    assert.equal((await countSms()) - before, 3);
    const refused = await sms('+447700900123');
    assert.deepEqual(codeOf(refused), [403, 'sending_cap_reached']);
    assert.match(refused.body.detail, /^The cap of 3 per day is reached\. It opens again at .*T00:00:00\.000Z\.$/);
    const [row] = await incidents('rule=CAP');
    assert.deepEqual([row.refused, row.status], [4, 'NOTED']);
    assert.equal((await message('+447700900123')).status, 201, 'another channel does not count');
    assert.equal((await sms('+447700900123', {}, { token: app.otherToken })).status, 201, 'nor does another account');
  });

  test('counts segments; what does not fit leaves room for what does, and takes nothing from other caps', async () => {
    await set({
      caps: [
        { ...cap, max: 5 },
        { ...cap, per: 'RECIPIENT', window: 'HOUR', max: 2 },
      ],
    });
    assert.equal((await sms('+447700900123', { text: 'x'.repeat(400) })).status, 403, 'three segments to one person');
    assert.equal((await sms('+447700900123', { text: 'x'.repeat(200) })).status, 201);
    assert.deepEqual(codeOf(await sms('+447700900123')), [403, 'recipient_cap_reached']);
    assert.equal((await sms('+447700900124', { text: 'x'.repeat(200) })).status, 201);
    assert.equal((await sms('+447700900125', { text: 'x'.repeat(200) })).status, 403, 'one is left');
    assert.equal((await sms('+447700900125')).status, 201);
    assert.equal((await sms('+447700900126')).status, 403);
  });

  test('counts what things cost, by the longest prefix', async () => {
    await set({
      caps: [{ ...cap, channel: 'ALL', measure: 'COST', max: 0.1 }],
      prices: [
        { channel: 'SMS', prefix: '+', price: 0.1 },
        { channel: 'SMS', prefix: '+44', price: 0.04 },
        { channel: 'VOICE', prefix: '+44', price: 0.02 },
      ],
    });
    assert.equal((await sms('+447700900123')).status, 201);
    assert.equal((await sms('+33612345678')).status, 403);
    assert.equal((await sms('+447700900124')).status, 201);
    assert.equal((await sms('+447700900125')).status, 403);
    assert.equal((await call('+447700900125')).status, 201);
    assert.equal((await call('+447700900125')).status, 403);
    assert.equal((await message('+447700900123')).status, 201, 'what has no price costs nothing');
  });

  test('counts the price of the account where no prefix fits', async () => {
    const prices = { currency: 'GBP', sms_part: 0.04, chatapp_message: 0.1 };
    await set({
      caps: [{ ...cap, channel: 'ALL', measure: 'COST', max: 0.1 }],
      prices: [{ channel: 'SMS', prefix: '+33', price: 0.06 }],
    });
    assert.equal((await app.call('PATCH', '/v2/account/', { prices })).status, 200);
    const request = { channel: 'SMS', sender: 'Parley', to: '+447700900123', segments: 2 };
    assert.deepEqual(
      [(await explain(request)).cost, (await explain({ ...request, to: '+33612345678' })).cost],
      [0.08, 0.12],
    );
    assert.equal((await sms('+447700900123')).status, 201);
    assert.equal((await message('+447700900123')).status, 403);
    assert.equal((await sms('+33612345678')).status, 201);
    assert.equal((await sms('+447700900123')).status, 403);
    await app.call('PATCH', '/v2/account/', { prices: null });
    assert.equal((await sms('+447700900123')).status, 201, 'what has no price costs nothing');
  });

  test('is explained with what is used, also before it is stored; nothing is counted', async () => {
    await set({ caps: [cap] });
    await sms('+447700900123');
    const request = { channel: 'SMS', sender: 'Parley', to: '07700 900123' };
    const allowed = await explain(request);
    assert.deepEqual(allowed, {
      allowed: true,
      country: 'GB',
      price_class: 'STANDARD',
      cost: 0,
      refusals: [],
      caps: [{ ...cap, used: 1 }],
      otp_conversion: null,
    });
    const draft = { safeguards: { caps: [{ ...cap, max: 1 }], blocked_prefixes: ['+447'] } };
    const { allowed: isAllowed, refusals } = await explain({ ...request, ...draft });
    assert.equal(isAllowed, false);
    assert.deepEqual(
      refusals.map(({ rule, code }: { rule: string; code: string }) => [rule, code]),
      [
        ['PREFIX', 'destination_not_allowed'],
        ['CAP', 'sending_cap_reached'],
      ],
    );
    assert.deepEqual(await explain(request), allowed);
  });
});

describe('a range of numbers that looks pumped', () => {
  const range = '+447700900';
  test('is held until somebody lets it through or blocks it', async () => {
    await set({ pumping_recipients: 4 });
    for (const last of ['001', '002', '002', '003']) assert.equal((await sms(`${range}${last}`)).status, 201);
    assert.deepEqual(codeOf(await sms(`${range}004`)), [403, 'destination_held']);
    assert.equal((await sms('+447700901001')).status, 201, 'its neighbours are not');
    assert.equal((await message(`${range}005`)).status, 201, 'other channels are not');
    const [held] = await incidents('status=HELD');
    assert.deepEqual([held.rule, held.subject, held.refused], ['PUMPING', '447700900', 1]);
    assert.deepEqual(codeOf(await sms(`${range}001`)), [403, 'destination_held']);
    const review = (status: string) => app.call('POST', `/v2/safeguard-incidents/${held.uuid}/review/`, { status });
    assert.equal((await review('HELD')).status, 400);
    assert.equal((await review('RELEASED')).status, 200);
    // What was refused just before is written now, and does not hold it again.
    await app.deps.incidents.write();
    assert.equal((await sms(`${range}006`)).status, 201);
    assert.deepEqual([(await review('BLOCKED')).body.status, (await sms(`${range}001`)).status], ['BLOCKED', 403]);
    const [blocked] = await incidents();
    assert.equal(blocked.refused, 3);
    assert.ok(blocked.reviewed_by);
  });
});

describe('calls and keywords', () => {
  test('no more calls are started than may be at once', async () => {
    await set({ max_concurrent_calls: 2 });
    await app.deps.db.deleteFrom('calls_under_way').execute();
    const results = await Promise.all([1, 2, 3, 4].map(() => call('+447700900123')));
    assert.deepEqual(results.map(({ status }) => status).toSorted(), [201, 201, 409, 409]);
    assert.equal((await incidents('rule=CONCURRENT_CALLS'))[0].refused, 2);
  });

  test('HELP is answered some times in an hour, for each person', async () => {
    await set({ help_replies_per_hour: 2 });
    const people = ['1', '1', '1', '2'].map((last) => ({ digits: `44770090000${last}` }));
    const answered = await mayAnswerHelp(app.deps, app.accountId, 'SMS', people);
    assert.deepEqual(
      answered.map(({ digits }) => digits.slice(-1)),
      ['1', '1', '2'],
    );
    assert.deepEqual(await mayAnswerHelp(app.deps, app.accountId, 'SMS', people.slice(0, 1)), []);
  });
});
