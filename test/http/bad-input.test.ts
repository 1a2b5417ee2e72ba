import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { TestAnswer, TestApp } from '../kit/app.ts';
import { rowWatch } from '../sweep/rows.ts';
import { assertDetail, assertRefusal, startSurface } from '../sweep/surface.ts';

const url = '/v2/chatapp/messages/';
const good = {
  chatapp_number: '+447700900001',
  to_chatapp_number: '+447700900123',
  type: 'TEMPLATE',
  template: { template_name: 'welcome' },
};
const deepList = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;

let app: TestApp;
let look: () => Promise<Record<string, number>>;
let untouched: Record<string, number>;
before(async () => {
  app = await startSurface();
  look = await rowWatch(app.deps.db);
});
after(() => app.close());
beforeEach(async () => {
  untouched = await look();
});

const nothingWritten = async () => assert.deepEqual(await look(), untouched);

async function assertFieldErrors(body: unknown, errors: object, at = url): Promise<void> {
  const answer = await app.call('POST', at, body);
  assert.deepEqual([answer.status, answer.body], [400, errors]);
  await nothingWritten();
}

describe(`POST ${url} › bad input is refused, the field is named, nothing is written`, () => {
  for (const text of [
    '{"type":',
    'not json',
    '{"type":"TEMPLATE",}',
    "{'type':1}",
    'NaN',
    '\u0000',
    '{"a":"\u0001"}',
  ]) {
    it(`400 for malformed JSON ${JSON.stringify(text)}`, async () => {
      const answer = await app.call('POST', url, text);
      assertDetail(answer, 400, 'parse_error');
      assert.match(answer.body.detail, /^JSON parse error - /);
      await nothingWritten();
    });
  }

  it('400 for bytes that are not UTF-8', async () => {
    const payload = Buffer.from(JSON.stringify({ ...good, meta_data: { note: 'caf\u00e9' } }), 'latin1');
    const headers = { authorization: `Token ${app.token}`, 'content-type': 'application/json' };
    const answer = await app.app.inject({ method: 'POST', url, headers, payload });
    assert.equal(answer.statusCode, 400);
    assert.equal(answer.json().code, 'parse_error');
    await nothingWritten();
  });

  it('400 for an empty body and for an empty object: all that is required is named', async () => {
    const required = ['This field is required.'];
    const errors = { type: required, chatapp_number: required, to_chatapp_number: required };
    await assertFieldErrors({}, errors);
    await assertFieldErrors('', errors);
  });

  it('400 for a wrong type; a boolean is not taken for a text, nor a text for a list', async () => {
    await assertFieldErrors({ ...good, chatapp_number: true }, { chatapp_number: ['Not a valid string.'] });
    const components = ['Expected a list of items but got type "str".'];
    await assertFieldErrors(
      { ...good, template: { ...good.template, components: 'none' } },
      { template: { components } },
    );
    const asText = await app.call('POST', url, { ...good, template: 'welcome' });
    assert.deepEqual([asText.status, Object.keys(asText.body)], [400, ['template']]);
    const asList = await app.call('POST', url, [good]);
    assert.deepEqual([asList.status, Object.keys(asList.body)], [400, ['non_field_errors']]);
    await nothingWritten();
  });

  it('400 for an unknown choice', async () => {
    await assertFieldErrors({ ...good, type: 'FAX' }, { type: ['"FAX" is not a valid choice.'] });
  });

  it('400 for null where it is not allowed', async () => {
    await assertFieldErrors(null, { non_field_errors: ['No data provided'] });
    const sentence = ['This field may not be null.'];
    await assertFieldErrors({ ...good, to_chatapp_number: null }, { to_chatapp_number: sentence });
    await assertFieldErrors({ ...good, template: { template_name: null } }, { template: { template_name: sentence } });
    await assertFieldErrors({ ...good, meta_data: null }, { meta_data: sentence });
  });

  it('400 for what is no phone number', async () => {
    for (const number of ['', '1234', '+1234567890123456', 'call me', '+44 (0) seven']) {
      const answer = await app.call('POST', url, { ...good, to_chatapp_number: number });
      assert.deepEqual([answer.status, Object.keys(answer.body)], [400, ['to_chatapp_number']], number);
    }
    await nothingWritten();
  });

  it('413 for a body of 2 MB', async () => {
    const answer = await app.call('POST', url, { ...good, meta_data: { note: 'x'.repeat(2_000_000) } });
    assertDetail(answer, 413, 'payload_too_large');
    await nothingWritten();
  });

  it('400 for an array 10,000 deep, as the body and inside it', async () => {
    const inside = JSON.stringify({ ...good, meta_data: { deep: 0 } }).replace('"deep":0', `"deep":${deepList}`);
    for (const text of [deepList, inside]) {
      const answer = await app.call('POST', url, text);
      assert.equal(answer.status, 400);
      assertRefusal(answer);
    }
    await nothingWritten();
  });

  for (const [what, bad] of Object.entries({ 'a lone surrogate': 'a\ud800', 'a NUL character': 'a\u0000' })) {
    it(`400 for ${what} in a text, at any depth, and in a name`, async () => {
      const inTemplate = await app.call('POST', url, { ...good, template: { template_name: bad } });
      assert.equal(typeof inTemplate.body.template?.template_name?.[0], 'string');
      const inside = await app.call('POST', url, { ...good, meta_data: { notes: [{ note: bad }] } });
      assert.match(JSON.stringify(inside.body), /^\{"meta_data":\{"notes":.*"note":\["/);
      const asName = await app.call('POST', url, { ...good, meta_data: { [bad]: 1 } });
      assert.deepEqual(Object.keys(asName.body), ['meta_data']);
      assert.deepEqual([inTemplate.status, inside.status, asName.status], [400, 400, 400]);
      await nothingWritten();
    });
  }

  for (const type of [
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
  ]) {
    it(`415 for ${type}`, async () => {
      const answer = await app.call('POST', url, good, { headers: { 'content-type': type } });
      assertDetail(answer, 415, 'unsupported_media_type', `Unsupported media type "${type}" in request.`);
      await nothingWritten();
    });
  }
});

describe('POST /v2/number/bulk/ › all or nothing', () => {
  const bulk = '/v2/number/bulk/';
  it('400 for three items, and for none', async () => {
    const item = { country_code: 'GB' };
    await assertFieldErrors([item, item, item], { non_field_errors: ['A maximum of 2 numbers per request.'] }, bulk);
    assert.equal((await app.call('POST', bulk, [])).status, 400);
    await nothingWritten();
  });

  it('400 for one bad item beside a good one, named in its place', async () => {
    const answer = await app.call('POST', bulk, [{ country_code: 'GB' }, { country_code: 'GB', prefix: 'north' }]);
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.body, [{}, { prefix: ['Enter digits only.'] }]);
    await nothingWritten();
  });

  it('buyers who race for the last number: one 201, the others 409', async () => {
    const { db } = app.deps;
    const last = await db
      .selectFrom('number_pool')
      .select('digits')
      .where('country', '=', 'IE')
      .executeTakeFirstOrThrow();
    await db
      .updateTable('number_pool')
      .set({ state: 'ASSIGNED' })
      .where('country', '=', 'IE')
      .where('digits', '!=', last.digits)
      .execute();
    const body = { country_code: 'IE', capabilities: ['VOICE'] };
    const buyers = [app.token, app.otherToken, app.token, app.otherToken, app.token, app.otherToken];
    const answers = await Promise.all(buyers.map((token) => app.call('POST', '/v2/number/', body, { token })));
    const [winner, ...losers] = answers.toSorted((a, b) => a.status - b.status);
    assert.deepEqual([winner!.status, winner!.body.number], [201, `+${last.digits}`]);
    for (const loser of losers) assertDetail(loser, 409, 'no_numbers_available', 'No number matches.');
  });
});

describe('Idempotency-Key', () => {
  const send = (key: string, body: unknown = good, token = app.token) =>
    app.call('POST', url, body, { token, headers: { 'idempotency-key': key } });
  const countMessages = async (token = app.token): Promise<number> =>
    (await app.call('GET', url, undefined, { token })).body.count;
  const replayed = (answer: TestAnswer) => answer.headers['idempotent-replayed'];

  it('the same body gets the first answer again, and nothing is done twice', async () => {
    const before = await countMessages();
    const first = await send('k1');
    const again = await send('k1');
    assert.deepEqual([first.status, replayed(first)], [201, undefined]);
    assert.deepEqual([again.status, replayed(again)], [201, 'true']);
    assert.deepEqual(again.body, first.body);
    assert.equal(await countMessages(), before + 1);
  });

  it('422 for another body, and nothing is written', async () => {
    await send('k2');
    untouched = await look();
    assertDetail(await send('k2', { ...good, meta_data: { other: true } }), 422, 'idempotency_mismatch');
    await nothingWritten();
  });

  it('many at the same time: one message, each answer is that message or a 409 that says when to come back', async () => {
    const before = await countMessages();
    const answers = await Promise.all(Array.from({ length: 8 }, () => send('k3')));
    const done = answers.filter(({ status }) => status === 201);
    assert.equal(new Set(done.map(({ body }) => body.uuid)).size, 1);
    for (const other of answers.filter((answer) => !done.includes(answer))) {
      assertDetail(other, 409, 'idempotency_conflict');
      assert.equal(other.headers['retry-after'], '1');
    }
    assert.equal(await countMessages(), before + 1);
  });

  it('belongs to one account and one address', async () => {
    const mine = await send('k4');
    const theirs = await send('k4', good, app.otherToken);
    assert.notEqual(theirs.body.uuid, mine.body.uuid);
    const headers = { 'idempotency-key': 'k4' };
    assert.equal((await app.call('POST', '/v2/auth/tokens/', { name: 'Same key' }, { headers })).status, 201);
  });

  it('is free again after a refusal, and refused itself when it is too long', async () => {
    assert.equal((await send('k5', { ...good, type: 'FAX' })).status, 400);
    assert.equal((await send('k5')).status, 201);
    const tooLong = await send('k'.repeat(256));
    assert.deepEqual([tooLong.status, Object.keys(tooLong.body)], [400, ['Idempotency-Key']]);
  });
});
