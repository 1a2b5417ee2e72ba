import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { until } from '../../../test/kit/until.ts';

const business = '+447700900001';
const amelia = '+447700900412';
const stranger = '+447700905555';

describe('search=, in every list that people look through', () => {
  let app: TestApp;
  let own = '';
  const made: Record<string, string> = {};
  before(async () => {
    app = await startTestApp();
    const post = async (place: string, body: object) => {
      const answer = await app.call('POST', place, body);
      assert.ok(answer.status < 300, `${place} ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    made['contact'] = (await post('/v2/contacts/', { phone_number: amelia, name: 'Amelia Quill' })).uuid;
    await post('/v2/contacts/', { phone_number: '+447700900413', name: 'Ben Carver' });
    const lists = [(await post('/v2/lists/', { name: 'Spring viewers' })).uuid];
    await post('/v2/lists/', { name: 'Autumn' });
    for (const from of [amelia, stranger])
      await post('/v2/sandbox/chatapp/messages/', { from, to: business, text: { body: 'Hello' } });
    for (const to of [amelia, stranger]) await post('/v2/send-sms/', { from: 'Parley', to, text: 'Hello' });
    for (const number of [amelia, stranger]) await post('/v2/opt-outs/', { phone_number: number, channel: 'SMS' });
    for (const reference_id of ['HOUSE-0042', 'FLAT-7']) {
      const intro = await post('/v2/chatapp/chat-intros/', {
        chatapp_number: business,
        reference_id,
        expected_message_template: `About ${reference_id}`,
        reply_message_template: 'Thank you.',
      });
      made[reference_id] = intro.uuid;
      await post(`/v2/chatapp/chat-intros/${intro.uuid}/start/`, {
        aparty_number: reference_id === 'FLAT-7' ? stranger : amelia,
      });
    }
    for (const name of ['Open house', 'Newsletter'])
      await post('/v2/campaigns/', { name, channel: 'SMS', sender: 'Parley', text: 'Hello', lists });
    own = (await post('/v2/number/', { number: '+442079460101' })).number;
    await post('/v2/sandbox/calls/', { from: stranger, to: own });
  });
  after(() => app.close());

  const count = async (place: string, search: string, options?: Parameters<TestApp['call']>[3]) => {
    const mark = place.includes('?') ? '&' : '?';
    const { status, body } = await app.call(
      'GET',
      `${place}${mark}search=${encodeURIComponent(search)}`,
      undefined,
      options,
    );
    assert.equal(status, 200, JSON.stringify(body));
    return body.count as number;
  };

  const ofPeople = [
    '/v2/chatapp/messages/?direction=INBOUND',
    '/v2/chatapp/conversations/',
    '/v2/sms-records/',
    '/v2/chatapp/leads/',
    '/v2/opt-outs/',
    '/v2/chatapp/chat-intro-sessions/',
    '/v2/contacts/',
  ];
  const spellings = ['07700 900412', '+44 (0)7700 900412', '0044 7700 900412', '7700 900412', '900412', '0412', amelia];
  for (const place of ofPeople) {
    it(`${place} › finds a person by any part of the name, and by a number as people write it`, async () => {
      for (const text of ['Amelia', 'amelia quill', 'meli', 'am', ...spellings])
        assert.equal(await count(place, text), 1, text);
      assert.equal(await count(place, 'Nobody'), 0);
      assert.equal(await count(place, '07700 999999'), 0);
      assert.equal(await count(place, 'Amelia', { token: app.otherToken }), 0);
    });
  }

  it('finds a caller whom nobody knows by the end of the number', async () => {
    await until('the call', async () => (await app.call('GET', '/v2/voice/calls/')).body.count === 1);
    for (const text of ['905555', '07700 905555', own]) assert.equal(await count('/v2/voice/calls/', text), 1, text);
    assert.equal(await count('/v2/voice/calls/', 'Amelia'), 0);
    assert.equal(await count('/v2/voice/calls/', '905556'), 0);
  });

  it('finds by references, names and ids', async () => {
    assert.equal(await count('/v2/chatapp/chat-intros/', 'house'), 1);
    assert.equal(await count('/v2/chatapp/chat-intros/', '0042'), 1);
    assert.equal(await count('/v2/chatapp/chat-intros/', made['FLAT-7']!), 1);
    assert.ok((await count('/v2/chatapp/chat-intro-logs/', made['FLAT-7']!)) > 0);
    const logs = `/v2/chatapp/chat-intros/${made['HOUSE-0042']}/logs/`;
    assert.ok((await count(logs, 'Amelia')) > 0);
    assert.equal(await count(logs, 'Ben'), 0);
    assert.equal(await count('/v2/campaigns/', 'hous'), 1);
    assert.equal(await count('/v2/lists/', 'view'), 1);
    assert.equal(await count('/v2/contacts/', made['contact']!), 1);
    assert.equal(await count('/v2/contacts/', '%'), 0);
    assert.equal(await count('/v2/contacts/', '   '), 2);
    assert.equal(await count('/v2/number/', own), 1);
    assert.equal(await count('/v2/number/', own.slice(-5)), 1);
    assert.equal(await count('/v2/webhook-deliveries/', 'anything'), 0);
  });

  it('names of contacts count for nobody who may not read contacts', async () => {
    const { body } = await app.call('POST', '/v2/auth/tokens/', { name: 'sms', scopes: ['sms:read'] });
    const options = { token: body.token };
    assert.equal(await count('/v2/sms-records/', 'Amelia', options), 0);
    assert.equal(await count('/v2/sms-records/', '900412', options), 1);
    assert.equal((await app.call('GET', '/v2/contacts/names/?number=1', undefined, options)).status, 403);
  });

  it('400 for a text that is too long', async () => {
    const { status, body } = await app.call('GET', `/v2/contacts/?search=${'x'.repeat(201)}`);
    assert.deepEqual([status, Object.keys(body)], [400, ['search']]);
  });
});

describe('GET /v2/contacts/names/', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
    await app.call('POST', '/v2/contacts/', { phone_number: amelia, name: 'Amelia Quill' });
    await app.call('POST', '/v2/contacts/', { phone_number: stranger });
  });
  after(() => app.close());

  it('answers the names of numbers as they were asked for, and nobody else’s', async () => {
    const place = `/v2/contacts/names/?number=07700+900412&number=${encodeURIComponent(stranger)}&number=x&number=07700+900412`;
    const { results } = (await app.call('GET', place)).body;
    assert.deepEqual(
      results.map(({ number, name }: { number: string; name: string }) => [number, name]),
      [['07700 900412', 'Amelia Quill']],
    );
    assert.deepEqual((await app.call('GET', place, undefined, { token: app.otherToken })).body.results, []);
    const many = Array.from({ length: 101 }, (_, index) => `number=${index}`).join('&');
    assert.deepEqual(Object.keys((await app.call('GET', `/v2/contacts/names/?${many}`)).body), ['number']);
    assert.deepEqual((await app.call('GET', '/v2/contacts/names/')).body, { results: [] });
  });
});

describe('ordering=name', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
    for (const [index, name] of ['cleo', 'Ana', 'ben', 'Ana', ''].entries())
      await app.call('POST', '/v2/contacts/', { phone_number: `+4477009000${10 + index}`, name });
  });
  after(() => app.close());

  const walk = async (query: string, follow: 'next' | 'previous' = 'next') => {
    const names: string[] = [];
    for (let place: string | null = `/v2/contacts/${query}`; place; ) {
      const {
        status,
        body,
      }: { status: number; body: { results: { name: string }[]; next: string; previous: string } } = await app.call(
        'GET',
        place,
      );
      assert.equal(status, 200, JSON.stringify(body));
      names.push(...body.results.map(({ name }) => name));
      const url: string | null = body[follow];
      place = url && new URL(url).pathname + new URL(url).search;
    }
    return names;
  };

  it('goes through all pages in the order of names, both ways, and once each', async () => {
    assert.deepEqual(await walk('?ordering=name&page_size=2'), ['', 'Ana', 'Ana', 'ben', 'cleo']);
    assert.deepEqual(await walk('?ordering=-name&page_size=2'), ['cleo', 'ben', 'Ana', 'Ana', '']);
  });

  it('400 for an ordering that there is not, 404 for a place in another one', async () => {
    const unknown = await app.call('GET', '/v2/contacts/?ordering=phone_number');
    assert.deepEqual([unknown.status, Object.keys(unknown.body)], [400, ['ordering']]);
    const { next } = (await app.call('GET', '/v2/contacts/?page_size=1')).body;
    const cursor = new URL(next).searchParams.get('cursor');
    const wrong = await app.call('GET', `/v2/contacts/?ordering=name&cursor=${cursor}`);
    assert.equal(wrong.body.code, 'invalid_page');
  });
});
