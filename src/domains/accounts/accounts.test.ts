import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { newId } from '../../platform/ids.ts';
import { bootstrap } from './bootstrap.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
  const password_hash = await app.deps.passwords.hash('open sesame');
  await app.deps.db
    .insertInto('users')
    .values({ account_id: app.accountId, uuid: newId(), username: 'Ana', password_hash })
    .execute();
});
after(() => app.close());

const signIn = (username: string, password: string) =>
  app.call('POST', '/v2/auth/token/', { username, password }, { token: null });

describe('POST /v2/auth/token/', () => {
  test('200 with a token that works, whatever the case of the name', async () => {
    const { status, body } = await signIn('ana', 'open sesame');
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['token', 'expires']);
    assert.ok(Date.parse(body.expires) > Date.now());
    assert.equal((await app.call('GET', '/v2/account/', undefined, { token: body.token })).body.uuid, app.accountId);
  });

  test('400 with the same words for a wrong password and for an unknown name', async () => {
    const errors = { non_field_errors: ['Unable to log in with provided credentials.'] };
    for (const name of ['ana', 'nobody']) {
      const { status, body } = await signIn(name, 'wrong');
      assert.deepEqual([status, body], [400, errors]);
    }
  });

  test('429 after repeated failures, for that name only', async () => {
    const answers = [];
    for (let tries = 0; tries < 8; tries++) answers.push(await signIn('guessed', 'wrong'));
    assert.deepEqual(
      answers.slice(0, 5).map((answer) => answer.status),
      [400, 400, 400, 400, 400],
    );
    const blocked = answers.find((answer) => answer.status === 429);
    assert.match(blocked?.body.detail, /^Request was throttled\. Expected available in \d+ seconds\.$/);
    assert.ok(Number(blocked?.headers['retry-after']) >= 1);
    assert.equal((await signIn('ana', 'open sesame')).status, 200);
  });

  test('400 that names what is missing', async () => {
    const { status, body } = await app.call('POST', '/v2/auth/token/', {}, { token: null });
    assert.deepEqual(
      [status, body],
      [400, { username: ['This field is required.'], password: ['This field is required.'] }],
    );
  });
});

describe('/v2/auth/tokens/', () => {
  test('a token is shown once, listed without its secret, and gone at once when revoked', async () => {
    const created = await app.call('POST', '/v2/auth/tokens/', { name: 'CRM', scopes: ['chatapp:read'] });
    assert.equal(created.status, 201);
    const { token, uuid } = created.body;
    const list = await app.call('GET', '/v2/auth/tokens/');
    const listed = list.body.results.find((row: { uuid: string }) => row.uuid === uuid);
    assert.deepEqual(listed, {
      uuid,
      name: 'CRM',
      kind: 'API',
      purpose: '',
      allowed_networks: null,
      resources: null,
      scopes: ['chatapp:read'],
      expires: null,
      created: created.body.created,
      created_by: 'First token',
      last_used: null,
      last_used_address: null,
    });
    assert.ok(!JSON.stringify(list.body).includes(token));

    const asCrm = (method: 'GET' | 'POST', url: string, body?: object) => app.call(method, url, body, { token });
    assert.equal((await asCrm('GET', '/v2/chatapp/messages/')).status, 200);
    assert.equal((await asCrm('POST', '/v2/chatapp/messages/', {})).status, 403);
    assert.equal((await asCrm('GET', '/v2/account/')).status, 403);

    assert.equal(
      (await app.call('DELETE', `/v2/auth/tokens/${uuid}/`, undefined, { token: app.otherToken })).status,
      404,
    );
    assert.equal((await app.call('DELETE', `/v2/auth/tokens/${uuid}/`)).status, 204);
    const after = await asCrm('GET', '/v2/chatapp/messages/');
    assert.deepEqual([after.status, after.body.detail], [401, 'Invalid token.']);
    assert.equal((await app.call('DELETE', `/v2/auth/tokens/${uuid}/`)).status, 404);
  });

  test('an expired token is no token', async (t) => {
    const expires = new Date(Date.now() + 3_600_000).toISOString();
    const { body } = await app.call('POST', '/v2/auth/tokens/', { name: 'brief', expires });
    const status = async () => (await app.call('GET', '/v2/account/', undefined, { token: body.token })).status;
    assert.equal(await status(), 200);
    t.mock.method(app.deps.clock, 'now', () => new Date(expires));
    assert.equal(await status(), 401);
  });

  test('nobody can make a token that may do more than their own, nor one that is over already', async () => {
    const beyond = await app.call(
      'POST',
      '/v2/auth/tokens/',
      { name: 'x', scopes: ['operator'] },
      { token: app.otherToken },
    );
    assert.deepEqual([beyond.status, Object.keys(beyond.body)], [400, ['scopes']]);
    const over = await app.call('POST', '/v2/auth/tokens/', { name: 'x', expires: '2020-01-01T00:00:00' });
    assert.deepEqual([over.status, Object.keys(over.body)], [400, ['expires']]);
  });
});

test('a secret that is shown once is shown again to the same request, and stands nowhere in the clear', async () => {
  const headers = { 'idempotency-key': 'once' };
  const create = () => app.call('POST', '/v2/auth/tokens/', { name: 'CRM' }, { headers });
  const [first, again] = [await create(), await create()];
  assert.equal(first.status, 201, JSON.stringify(first.body));
  assert.deepEqual([again.body, again.headers['idempotent-replayed']], [first.body, 'true']);
  const stored = await app.deps.db.selectFrom('idempotency_keys').selectAll().where('key', '=', 'once').execute();
  assert.equal(stored.length, 1);
  assert.ok(!JSON.stringify(stored).includes(first.body.token));
});

describe('/v2/account/', () => {
  test('PATCH changes what it names and nothing else', async () => {
    const before = (await app.call('GET', '/v2/account/')).body;
    const change = { time_zone: 'Europe/Paris', quiet_hours: { start: '21:00', end: '08:00' } };
    const { status, body } = await app.call('PATCH', '/v2/account/', change);
    assert.equal(status, 200);
    assert.deepEqual(body, { ...before, ...change, modified: body.modified });
    assert.equal((await app.call('PATCH', '/v2/account/', { quiet_hours: null })).body.quiet_hours, null);
  });

  test('400 for settings that make no sense, each named', async () => {
    const bad = {
      time_zone: 'Mars/Base',
      default_country: 'gb',
      quiet_hours: { start: '25:00', end: '08:00' },
      retention_days: 0,
    };
    const { status, body } = await app.call('PATCH', '/v2/account/', bad);
    assert.equal(status, 400);
    assert.deepEqual(Object.keys(body).toSorted(), ['default_country', 'quiet_hours', 'retention_days', 'time_zone']);
  });

  test('limits are the operator’s to set, and hold at once', async () => {
    const limits = { requests_per_minute: 3 };
    assert.equal((await app.call('PATCH', '/v2/account/', { limits }, { token: app.otherToken })).status, 403);
    const { token } = (await app.call('POST', '/v2/auth/tokens/', { name: 'hasty' })).body;
    assert.equal((await app.call('PATCH', '/v2/account/', { limits })).status, 200);
    const answers = [];
    for (let tries = 0; tries < 5; tries++) answers.push(await app.call('GET', '/v2/account/', undefined, { token }));
    const refused = answers.find((answer) => answer.status === 429);
    assert.match(refused?.body.detail, /^Request was throttled\. Expected available in \d+ seconds\.$/);
    assert.equal(refused?.headers['ratelimit-policy'], '"token";q=3;w=60');
  });
});

test('bootstrap makes one account however often and in however many processes it runs', async () => {
  const { db } = app.deps;
  const count = async () => (await db.selectFrom('accounts').select('uuid').execute()).length;
  const before = await count();
  const results = await Promise.all(
    Array.from({ length: 5 }, () => bootstrap(db, app.deps.passwords, 'a token of mine')),
  );
  // One of them made the token.
  assert.deepEqual(
    results.toSorted((one) => (one.token ? -1 : 1)),
    [{ token: 'a token of mine' }, {}, {}, {}, {}],
  );
  assert.equal(await count(), before);
  const { rows } = { rows: await db.selectFrom('tokens').select('scopes').where('name', '=', 'First token').execute() };
  assert.equal(rows.length, 2);
  for (const row of rows) assert.deepEqual(row.scopes, ['read', 'write', 'operator']);
});
