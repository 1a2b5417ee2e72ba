import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { eventsOf } from '../timeline/index.ts';

/** The shape of a number: these fields, no more and no fewer. */
const shape = {
  number: 'string',
  target_number: 'string',
  country: 'string',
  features: 'array',
  meta: 'object',
  webhooks: 'array',
  tts: 'string',
  whisper_file: 'string',
  call_tracking: 'string',
  record_call_file: 'string',
  keep_number_file: 'string',
  voicemail_lite_file: 'string',
  capture_digits_file: 'string',
  keywords: 'array',
  issued_date: 'string',
  billing_anniversary: 'string',
  last_called: 'string',
};
const shapeOf = (body: object) =>
  Object.fromEntries(Object.entries(body).map(([key, value]) => [key, Array.isArray(value) ? 'array' : typeof value]));

describe('numbers', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  const buy = async (body: object, options = {}) => {
    const answer = await app.call('POST', '/v2/number/', body, options);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  };
  const kindsOf = async (number: string) => {
    const { uuid } = await app.deps.db
      .selectFrom('numbers')
      .select('uuid')
      .where('number', '=', number)
      .executeTakeFirstOrThrow();
    return (await eventsOf(app.deps.db, app.accountId, uuid).execute()).map((event) => event.kind);
  };

  describe('POST /v2/number/', () => {
    it('201 with exactly the fields of a number, empty where nothing is set', async () => {
      const body = await buy({ country_code: 'GB' });
      assert.deepEqual(shapeOf(body), shape);
      const { number, issued_date, billing_anniversary, ...rest } = body;
      assert.match(number, /^\+44\d+$/);
      assert.match(issued_date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      assert.match(billing_anniversary, /^\d{4}-\d\d-\d\d$/);
      const strings = ['target_number', 'tts', 'whisper_file', 'call_tracking', 'record_call_file', 'keep_number_file'];
      for (const name of [...strings, 'voicemail_lite_file', 'capture_digits_file', 'last_called']) {
        assert.equal(rest[name], '', name);
      }
      assert.deepEqual([rest.features, rest.meta, rest.webhooks, rest.keywords], [[], {}, [], []]);
    });

    it('201 and bills from the issue date plus one month', async () => {
      const { number } = await buy({ country_code: 'GB' });
      const row = await app.deps.db
        .selectFrom('numbers')
        .select((select) => [
          'billing_anniversary',
          select.cast<string>(select.fn('timezone', [select.val('UTC'), 'issued_date']), 'date').as('issued'),
        ])
        .where('number', '=', number)
        .executeTakeFirstOrThrow();
      const [year, month, day] = row.issued.split('-').map(Number) as [number, number, number];
      const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
      const expected = new Date(Date.UTC(year, month, Math.min(day, lastDay))).toISOString().slice(0, 10);
      assert.equal(row.billing_anniversary, expected);
    });

    it('201 and keeps every setting; the features are those whose fields are set', async () => {
      const settings = {
        target_number: '+44 (20) 7946-0001',
        meta: { shop: 7, nested: { list: [1, null, 'é'] } },
        tts: 'Hello',
        whisper_file: 'whisper.wav',
        call_tracking: 'Spring leaflet',
        record_call_file: 'record.wav',
        keep_number_file: 'keep.wav',
        voicemail_lite_file: 'voicemail.wav',
        capture_digits_file: 'digits.wav',
        keywords: ['OFFER', 'JOIN US'],
      };
      const body = await buy({ country_code: 'GB', prefix: '020', ...settings });
      assert.match(body.number, /^\+4420/);
      assert.deepEqual({ ...body, ...settings }, body);
      assert.deepEqual(body.features, [
        'TTS',
        'WHISPER',
        'CALL_TRACKING',
        'RECORD_CALL',
        'KEEP_NUMBER',
        'VOICEMAIL_LITE',
        'CAPTURE_DIGITS',
        'KEYWORDS',
      ]);
      assert.deepEqual((await buy({ country_code: 'GB', tts: 'Hello', features: ['KEEP_NUMBER'] })).features, [
        'KEEP_NUMBER',
      ]);
      assert.deepEqual(await kindsOf(body.number), ['number.assigned']);
    });

    it('201 for one exact number in any notation, whatever it can do', async () => {
      assert.equal((await buy({ number: '+44 (161) 496-0042' })).number, '+441614960042');
      const again = await app.call('POST', '/v2/number/', { number: '441614960042' });
      assert.deepEqual(
        [again.status, again.body],
        [409, { detail: 'No number matches.', code: 'no_numbers_available' }],
      );
      const elsewhere = await app.call('POST', '/v2/number/', { number: '+441614960043', country_code: 'FR' });
      assert.equal(elsewhere.status, 409);
    });

    it('201 with a number that has the prefix, with or without the zero, and the capabilities', async () => {
      assert.match((await buy({ country_code: 'DE', prefix: '0171' })).number, /^\+49171/);
      assert.match((await buy({ country_code: 'IT', prefix: '06' })).number, /^\+3906/);
      assert.match((await buy({ country_code: 'IT', prefix: '6' })).number, /^\+3906/);
      assert.match((await buy({ country_code: 'FI', capabilities: ['VOICE', 'MMS'] })).number, /^\+35840/);
    });

    it('409 when no number matches: another country, prefix or capability', async () => {
      for (const wanted of [
        { country_code: 'TV' },
        { country_code: 'GB', prefix: '999' },
        { country_code: 'KE', capabilities: ['MMS'] },
      ]) {
        const answer = await app.call('POST', '/v2/number/', wanted);
        assert.deepEqual([answer.status, answer.body.code], [409, 'no_numbers_available']);
      }
    });

    it('400 that names each field', async () => {
      const cases: [object, object][] = [
        [{}, { country_code: ['This field is required.'] }],
        [{ country_code: 'gb' }, { country_code: ['Enter an ISO 3166 country code in capital letters, such as GB.'] }],
        [{ country_code: 'GB', prefix: '+20' }, { prefix: ['Enter digits only.'] }],
        [{ country_code: 'GB', capabilities: ['FAX'] }, { capabilities: { 0: ['"FAX" is not a valid choice.'] } }],
        [{ country_code: 'GB', capabilities: [] }, { capabilities: ['This list may not be empty.'] }],
        [{ country_code: 'GB', features: ['FLY'] }, { features: { 0: ['"FLY" is not a valid choice.'] } }],
        [{ country_code: 'GB', target_number: 'home' }, { target_number: ['Enter a valid phone number.'] }],
        [{ country_code: 'GB', target_number: true }, { target_number: ['Not a valid string.'] }],
        [
          { country_code: 'GB', tts: 'x'.repeat(4097) },
          { tts: ['Ensure this field has no more than 4096 characters.'] },
        ],
        [{ country_code: 'GB', tts: null }, { tts: ['This field may not be null.'] }],
        [{ country_code: 'GB', keywords: [''] }, { keywords: { 0: ['This field may not be blank.'] } }],
        [{ country_code: 'GB', meta: [] }, { meta: ['Expected a dictionary of items but got type "list".'] }],
        [{ country_code: 'GB', webhooks: ['crm'] }, { webhooks: { 0: ['Webhook "crm" does not exist.'] } }],
        [{ number: '12' }, { number: ['Enter a valid phone number.'] }],
      ];
      for (const [body, errors] of cases) {
        const answer = await app.call('POST', '/v2/number/', body);
        assert.deepEqual([answer.status, answer.body], [400, errors]);
      }
    });

    it('buys one number only when a keyed request is repeated', async () => {
      const options = { headers: { 'idempotency-key': 'buy-once' } };
      const first = await app.call('POST', '/v2/number/', { country_code: 'PT' }, options);
      const second = await app.call('POST', '/v2/number/', { country_code: 'PT' }, options);
      assert.equal(first.status, 201);
      assert.deepEqual(second.body, first.body);
      assert.equal(second.headers['idempotent-replayed'], 'true');
      assert.equal((await app.call('GET', '/v2/number/?country=PT')).body.count, 1);
    });
  });

  describe('GET, PUT, PATCH /v2/number/{number}/', () => {
    it('200 in any notation of the number', async () => {
      const body = await buy({ number: '+442079460500' });
      for (const path of ['+442079460500', '%2B442079460500', '442079460500', '%2B44%20(20)%207946-0500']) {
        const answer = await app.call('GET', `/v2/number/${path}/`);
        assert.deepEqual([answer.status, answer.body], [200, { ...body, tts_language: 'en' }], path);
      }
    });

    it('PUT sets what is left out to its default, PATCH leaves it', async () => {
      const { number } = await buy({ number: '+442079460501', tts: 'Hello', keywords: ['A'], meta: { a: 1 } });
      const patched = await app.call('PATCH', `/v2/number/${number}/`, { target_number: '+15551234567', keywords: [] });
      assert.equal(patched.status, 200);
      assert.deepEqual(shapeOf(patched.body), { ...shape, tts_language: 'string' });
      const { target_number, tts, keywords, meta, features } = patched.body;
      assert.deepEqual([target_number, tts, keywords, meta], ['+15551234567', 'Hello', [], { a: 1 }]);
      assert.deepEqual(features, ['TTS', 'KEYWORDS'], 'features are switched off by naming the others');

      const put = await app.call('PUT', `/v2/number/${number}/`, {
        whisper_file: 'w.wav',
        number: '+1',
        country_code: 'US',
      });
      assert.equal(put.status, 200);
      assert.equal(put.headers['parley-ignored-fields'], 'number, country_code');
      assert.equal(put.body.number, number);
      assert.deepEqual([put.body.target_number, put.body.tts, put.body.meta], ['', '', {}]);
      assert.deepEqual([put.body.whisper_file, put.body.features], ['w.wav', ['WHISPER']]);
      assert.deepEqual((await app.call('GET', `/v2/number/${number}/`)).body, put.body);
      assert.deepEqual(await kindsOf(number), ['number.assigned', 'number.updated', 'number.updated']);
    });

    it('PATCH of a field that a feature uses switches it on, as POST does; emptying it leaves it on', async () => {
      const { number } = await buy({ number: '+442079460509', features: ['VOICEMAIL_LITE'] });
      const patch = async (body: object) => (await app.call('PATCH', `/v2/number/${number}/`, body)).body.features;
      assert.deepEqual(await patch({ tts: 'Hello', whisper_file: '' }), ['VOICEMAIL_LITE', 'TTS']);
      assert.deepEqual(await patch({ tts: '', keywords: ['VIEW'] }), ['VOICEMAIL_LITE', 'TTS', 'KEYWORDS']);
      assert.deepEqual(await patch({ call_tracking: 'Spring', features: ['TTS'] }), ['TTS']);
    });

    it('takes back what it gave: PUT of an answer changes nothing', async () => {
      const body = await buy({ number: '+442079460502' });
      const put = await app.call('PUT', `/v2/number/${body.number}/`, body);
      assert.deepEqual([put.status, put.body], [200, { ...body, tts_language: 'en' }]);
      assert.deepEqual(await kindsOf(body.number), ['number.assigned']);
    });

    it('400 that names the field', async () => {
      const { number } = await buy({ number: '+442079460503' });
      for (const method of ['PUT', 'PATCH'] as const) {
        const answer = await app.call(method, `/v2/number/${number}/`, { tts: true, webhooks: ['a'] });
        assert.deepEqual([answer.status, answer.body], [400, { tts: ['Not a valid string.'] }]);
        const unknown = await app.call(method, `/v2/number/${number}/`, { webhooks: ['a'] });
        assert.deepEqual([unknown.status, unknown.body], [400, { webhooks: { 0: ['Webhook "a" does not exist.'] } }]);
      }
    });

    it("404 for a number nobody has, another tenant's, and what is no number", async () => {
      const theirs = await buy({ country_code: 'SE' }, { token: app.otherToken });
      for (const number of ['+442079460999', theirs.number, 'nonsense']) {
        for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'] as const) {
          const answer = await app.call(
            method,
            `/v2/number/${number}/`,
            method === 'PUT' || method === 'PATCH' ? {} : undefined,
          );
          assert.deepEqual([answer.status, answer.body], [404, { detail: 'Not found.', code: 'not_found' }]);
        }
      }
      assert.equal(
        (await app.call('GET', `/v2/number/${theirs.number}/`, undefined, { token: app.otherToken })).status,
        200,
      );
    });
  });

  describe('DELETE /v2/number/{number}/', () => {
    it('204, then 404; the number rests for 30 days and can then be bought again', async () => {
      const number = '+442079460600';
      await buy({ number });
      assert.equal((await app.call('DELETE', `/v2/number/${number}/`)).status, 204);
      for (const method of ['GET', 'DELETE'] as const)
        assert.equal((await app.call(method, `/v2/number/${number}/`)).status, 404);
      assert.deepEqual(await kindsOf(number), ['number.assigned', 'number.released']);
      assert.equal((await app.call('POST', '/v2/number/', { number })).status, 409);
      assert.equal((await app.call('GET', '/v2/number/search/?contains=79460600')).body.count, 0);

      const pool = await app.deps.db
        .selectFrom('number_pool')
        .select(['state', 'available_at'])
        .where('number', '=', number)
        .executeTakeFirstOrThrow();
      const daysOfRest = (Date.parse(pool.available_at) - Date.now()) / 86_400_000;
      assert.equal(pool.state, 'COOLING');
      assert.equal(Math.round(daysOfRest), 30);

      await app.deps.db
        .updateTable('number_pool')
        .set({ available_at: '2020-01-01' })
        .where('number', '=', number)
        .execute();
      assert.equal((await app.call('GET', '/v2/number/search/?contains=79460600')).body.count, 1);
      const again = await app.call('POST', '/v2/number/', { number }, { token: app.otherToken });
      assert.equal(again.status, 201);
      assert.equal((await app.call('GET', `/v2/number/${number}/`)).status, 404);
    });
  });

  it('401 without a token, on every route', async () => {
    const paths = ['', 'search/', 'prefixes/', 'capabilities/', 'features/', 'bulk/', '+442079460000/'];
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
        const answer = await app.call(method, `/v2/number/${path}`, undefined, { token: null });
        assert.equal(answer.status, 401, `${method} ${path}`);
      }
    }
  });
});
