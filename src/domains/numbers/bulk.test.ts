import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { until } from '../../../test/kit/until.ts';

describe('/v2/number/bulk/', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  const bulk = (method: 'POST' | 'PUT' | 'PATCH', body: unknown, options = {}) =>
    app.call(method, '/v2/number/bulk/', body, options);
  const count = async (country: string) => (await app.call('GET', `/v2/number/?country=${country}`)).body.count;
  /** Leaves `rest` numbers of a country in the pool. */
  const sellOut = (country: string, rest: number) =>
    sql`update number_pool set state = 'ASSIGNED' where country = ${country} and digits not in (
      select digits from number_pool where country = ${country} order by digits desc limit ${rest})`.execute(
      app.deps.db,
    );

  it('POST › 201 with a number per item, in their order, all different', async () => {
    const { status, body } = await bulk('POST', [
      { country_code: 'FR', tts: 'Bonjour' },
      { country_code: 'GB', prefix: '7700', meta: { second: true } },
    ]);
    assert.equal(status, 201);
    assert.equal(body.length, 2);
    assert.deepEqual([body[0].country, body[0].tts, body[0].features], ['FR', 'Bonjour', ['TTS']]);
    assert.deepEqual([body[1].country, body[1].number.slice(0, 7), body[1].meta], ['GB', '+447700', { second: true }]);
    assert.equal(Object.keys(body[0]).length, 17);
    const equal = await bulk('POST', [{ country_code: 'FR' }, { country_code: 'FR' }]);
    assert.equal(equal.status, 201);
    assert.notEqual(equal.body[0].number, equal.body[1].number);
    assert.equal((await bulk('POST', [{ country_code: 'US' }])).body.length, 1);
  });

  it('POST, PUT, PATCH › 400 for three items, whatever they hold, for none, and for what is no list', async () => {
    for (const method of ['POST', 'PUT', 'PATCH'] as const) {
      for (const three of [[{}, {}, {}], [1, 2, 3], Array(3).fill({ country_code: 'GB', number: '+442079460000' })]) {
        const answer = await bulk(method, three);
        assert.deepEqual(
          [answer.status, answer.body],
          [400, { non_field_errors: ['A maximum of 2 numbers per request.'] }],
        );
      }
      const empty = await bulk(method, []);
      assert.deepEqual([empty.status, empty.body], [400, { non_field_errors: ['This list may not be empty.'] }]);
      const none = await bulk(method, null);
      assert.deepEqual([none.status, none.body], [400, { non_field_errors: ['No data provided'] }]);
      const ofNull = await bulk(method, [null]);
      assert.deepEqual([ofNull.status, ofNull.body], [400, [['This field may not be null.']]]);
      const noList = await bulk(method, {});
      assert.deepEqual(noList.body, { non_field_errors: ['Expected a list of items but got type "dict".'] });
    }
  });

  it('POST › 400 with the errors at their item, and nothing bought', async () => {
    const cases: [object[], object[]][] = [
      [
        [{ country_code: 'NL' }, { country_code: 'NL', prefix: 'x' }],
        [{}, { prefix: ['Enter digits only.'] }],
      ],
      [
        [{ country_code: 'NL' }, {}],
        [{}, { country_code: ['This field is required.'] }],
      ],
      [
        [{ country_code: 'NL', webhooks: ['a'] }, { country_code: 'NL' }],
        [{ webhooks: { 0: ['Webhook "a" does not exist.'] } }, {}],
      ],
      [
        [{ number: '+31200000100' }, { number: '31 20 0000100' }],
        [{}, { number: ['This number appears more than once.'] }],
      ],
    ];
    for (const [body, errors] of cases) {
      const answer = await bulk('POST', body);
      assert.deepEqual([answer.status, answer.body], [400, errors]);
    }
    assert.equal(await count('NL'), 0);
  });

  it('POST › 409 and nothing bought when one number is left for two items', async () => {
    await sellOut('CH', 1);
    const two = await bulk('POST', [{ country_code: 'CH' }, { country_code: 'CH' }]);
    assert.deepEqual([two.status, two.body], [409, { detail: 'No number matches.', code: 'no_numbers_available' }]);
    const keyed = await bulk('POST', [{ country_code: 'GB' }, { country_code: 'CH', prefix: '44' }], {
      headers: { 'idempotency-key': 'sold-out' },
    });
    assert.equal(keyed.status, 409);
    assert.equal(await count('CH'), 0);
    assert.equal((await bulk('POST', [{ country_code: 'CH' }])).status, 201);
  });

  it('POST › a loose item leaves a particular one the only number that fits it', async () => {
    await sql`update number_pool set state = 'ASSIGNED' where country = 'PL' and digits not in ('48220000100', '48500000100')`.execute(
      app.deps.db,
    );
    const { status, body } = await bulk('POST', [{ country_code: 'PL' }, { country_code: 'PL', prefix: '022' }]);
    assert.equal(status, 201);
    assert.deepEqual(
      body.map(({ number }: { number: string }) => number),
      ['+48500000100', '+48220000100'],
    );
  });

  it('two buyers of the last number: one gets it, the other a 409', async () => {
    await sellOut('AT', 1);
    const buyers = [app.token, app.otherToken, app.token, app.otherToken];
    const answers = await Promise.all(
      buyers.map((token) => app.call('POST', '/v2/number/', { country_code: 'AT' }, { token })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  });

  it('many buyers at once never get the same number', async () => {
    const buy = () => bulk('POST', [{ country_code: 'MX' }, { country_code: 'MX', prefix: '33' }]);
    // As a client does on a server that is busy: they stand in line for the same numbers.
    const buyAgain = () => until(buy, ({ status }) => status !== 503);
    const answers = await Promise.all(Array.from({ length: 20 }, buyAgain));
    const numbers = answers.flatMap(({ body }) => body.map(({ number }: { number: string }) => number));
    assert.equal(numbers.length, 40);
    assert.equal(new Set(numbers).size, 40);
  });

  describe('PUT and PATCH', () => {
    const [one, two] = ['+12125550150', '+12125550151'];
    before(async () => {
      const bought = await bulk('POST', [
        { number: one, tts: 'One', meta: { a: 1 } },
        { number: two, tts: 'Two' },
      ]);
      assert.equal(bought.status, 201);
    });

    it('200 with the numbers in the order of the items: PATCH changes what is named, PUT replaces', async () => {
      const patched = await bulk('PATCH', [
        { number: '1 212 555 0151', keywords: ['JOIN'] },
        { number: one, target_number: '+15551230000' },
      ]);
      assert.equal(patched.status, 200);
      assert.deepEqual(
        patched.body.map(({ number }: { number: string }) => number),
        [two, one],
      );
      assert.deepEqual([patched.body[0].keywords, patched.body[0].tts], [['JOIN'], 'Two']);
      assert.deepEqual([patched.body[1].target_number, patched.body[1].meta], ['+15551230000', { a: 1 }]);

      const put = await bulk('PUT', [{ number: one, call_tracking: 'Web' }, { number: two }]);
      assert.equal(put.status, 200);
      assert.deepEqual(
        [put.body[0].call_tracking, put.body[0].features, put.body[0].meta, put.body[0].tts],
        ['Web', ['CALL_TRACKING'], {}, ''],
      );
      assert.deepEqual([put.body[1].keywords, put.body[1].features], [[], []]);
      assert.deepEqual((await app.call('GET', `/v2/number/${one}/`)).body, put.body[0]);
    });

    it("400 in place, and nothing changed, for a number nobody has, another tenant's, one named twice, none", async () => {
      const theirs = (await bulk('POST', [{ country_code: 'ES' }], { token: app.otherToken })).body[0].number;
      for (const method of ['PUT', 'PATCH'] as const) {
        for (const number of ['+12125550199', theirs]) {
          const answer = await bulk(method, [
            { number: one, tts: 'Changed' },
            { number, tts: 'Changed' },
          ]);
          assert.deepEqual([answer.status, answer.body], [400, [{}, { number: ['Not found.'] }]]);
        }
        const twice = await bulk(method, [{ number: one, tts: 'Changed' }, { number: '12125550150' }]);
        assert.deepEqual([twice.status, twice.body], [400, [{}, { number: ['This number appears more than once.'] }]]);
        const none = await bulk(method, [{ tts: 'Changed' }]);
        assert.deepEqual([none.status, none.body], [400, [{ number: ['This field is required.'] }]]);
        const webhook = await bulk(method, [
          { number: one, tts: 'Changed' },
          { number: two, webhooks: ['b'] },
        ]);
        assert.deepEqual(webhook.body, [{}, { webhooks: { 0: ['Webhook "b" does not exist.'] } }]);
      }
      assert.equal((await app.call('GET', `/v2/number/${one}/`)).body.tts, '');
    });
  });
});
