import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestAnswer, type TestApp } from '../../../../test/kit/app.ts';
import { newToken } from '../../../platform/secrets.ts';
import { purgeSessionsAnyAccount } from '../tokens/queries.ts';

const session = '/v2/auth/session/';
const fromConsole = { 'x-requested-with': 'parley-console' };
const good = { username: 'ana', password: 'open sesame please' };

let app: TestApp;
let ana: string;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
  ana = (await app.call('POST', '/v2/users/', { ...good, scopes: ['read', 'write'] })).body.uuid;
});
after(() => app.close());

const open = (body: object, headers: Record<string, string> = {}) =>
  app.call('POST', session, body, { token: null, headers });
const cookieOf = ({ headers }: TestAnswer): string => String(headers['set-cookie']).split(';')[0]!;
const secretOf = (cookie: string): string => cookie.split('=')[1]!;
const signedIn = async (): Promise<string> => cookieOf(await open(good));
const as = (cookie: string, headers: Record<string, string> = {}) => ({ token: null, headers: { cookie, ...headers } });
const statusWith = async (cookie: string): Promise<number> =>
  (await app.call('GET', '/v2/account/', undefined, as(cookie))).status;
const makeToken = async (request: object = {}) =>
  (await app.call('POST', '/v2/auth/tokens/', { name: 'CRM', ...request })).body as { uuid: string; token: string };

describe(`POST ${session}`, () => {
  test('200 with who it is, and a cookie that scripts cannot read and other sites cannot send', async () => {
    const { status, headers, body } = await open(good);
    assert.equal(status, 200);
    const { uuid, name, time_zone, default_country } = (await app.call('GET', '/v2/account/')).body;
    assert.deepEqual(body, {
      account: { uuid, name, time_zone, default_country },
      user: { ...body.user, uuid: ana, username: 'ana' },
      scopes: ['read', 'write'],
      expires: body.expires,
      second_factor_setup_required: false,
      identity_provider: null,
    });
    assert.match(
      String(headers['set-cookie']),
      /^parley_session=[0-9a-f]{40}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=25\d{5}$/,
    );
    assert.ok(!JSON.stringify(body).includes(secretOf(String(headers['set-cookie']).split(';')[0]!)));
  });

  test('the cookie is Secure when the browser speaks https, also through a proxy that is not trusted', async () => {
    const { headers } = await open(good, { ...fromConsole, origin: 'https://parley.example' });
    assert.match(String(headers['set-cookie']), /; Secure$/);
  });

  test('the cookie is for the path under which the outside world sees the server', async () => {
    const own = await startTestApp({ ROLES: 'api', PUBLIC_URL: 'https://example.com/parley/' });
    try {
      const answer = await own.call('POST', session, { token: own.token }, { token: null });
      assert.match(String(answer.headers['set-cookie']), /; Path=\/parley;/);
    } finally {
      await own.close();
    }
  });

  test('400 with the sentence of the token operation for a wrong password and an unknown name', async () => {
    for (const username of ['ana', 'nobody']) {
      const { status, body, headers } = await open({ username, password: 'wrong' });
      assert.deepEqual([status, body], [400, { non_field_errors: ['Unable to log in with provided credentials.'] }]);
      assert.equal(headers['set-cookie'], undefined);
    }
  });

  test('429 after repeated failures', async () => {
    const statuses = [];
    for (let tries = 0; tries < 8; tries++)
      statuses.push((await open({ username: 'guessed', password: 'wrong' })).status);
    assert.deepEqual(statuses.slice(0, 5), [400, 400, 400, 400, 400]);
    assert.ok(statuses.includes(429));
  });

  test('400 that names what is missing, or too much', async () => {
    const required = ['This field is required.'];
    assert.deepEqual((await open({})).body, { username: required, password: required });
    assert.deepEqual((await open({ username: 'ana' })).body, { password: required });
    const both = await open({ ...good, token: app.token });
    assert.deepEqual([both.status, Object.keys(both.body).toSorted()], [400, ['password', 'username']]);
  });

  test('403 for a page of another site, and for any browser without the header', async () => {
    const cookie = await signedIn();
    const pages: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { cookie },
    ];
    for (const headers of pages) {
      const refused = await open(good, headers);
      assert.deepEqual([refused.status, refused.body.code], [403, 'csrf_failed']);
      assert.equal(refused.headers['set-cookie'], undefined);
      assert.equal((await open(good, { ...headers, ...fromConsole })).status, 200);
    }
  });
});

describe('A session opened with a token', () => {
  test('is another secret with the same scopes, and nobody in particular', async () => {
    const { token } = await makeToken({ scopes: ['account:read'] });
    const answer = await open({ token });
    assert.deepEqual([answer.status, answer.body.user, answer.body.scopes], [200, null, ['account:read']]);
    const cookie = cookieOf(answer);
    assert.notEqual(secretOf(cookie), token);
    assert.equal(await statusWith(cookie), 200);
    const patch = await app.call('PATCH', '/v2/account/', {}, as(cookie, fromConsole));
    assert.deepEqual([patch.status, patch.body.code], [403, 'permission_denied']);
  });

  test('lives no longer than the token', async () => {
    const expires = new Date(Date.now() + 3_600_000).toISOString();
    const { token } = await makeToken({ expires });
    const { body, headers } = await open({ token });
    assert.equal(Date.parse(body.expires), Date.parse(expires));
    const seconds = Number(/Max-Age=(\d+)/.exec(String(headers['set-cookie']))?.[1]);
    assert.ok(seconds > 3_500 && seconds <= 3_600);
  });

  test('ends when the token is revoked', async () => {
    const { uuid, token } = await makeToken();
    const cookie = cookieOf(await open({ token }));
    assert.equal(await statusWith(cookie), 200);
    assert.equal((await app.call('DELETE', `/v2/auth/tokens/${uuid}/`)).status, 204);
    assert.equal(await statusWith(cookie), 401);
  });

  test('400 for a token that is wrong, is over, or is itself a session', async () => {
    const { uuid, token: over } = await makeToken();
    const past = '2020-01-01T00:00:00Z';
    await app.deps.db.updateTable('tokens').set({ expires: past }).where('uuid', '=', uuid).execute();
    for (const token of [newToken(), over, secretOf(await signedIn())]) {
      const { status, body } = await open({ token });
      assert.deepEqual([status, body], [400, { token: ['Invalid token.'] }]);
    }
  });
});

describe('With the cookie', () => {
  test('reading needs nothing else, and changing needs the header of the console', async () => {
    const cookie = await signedIn();
    assert.equal(await statusWith(`theme=dark; ${cookie}; x=y`), 200);
    for (const sender of ['', 'XMLHttpRequest']) {
      const foreign = as(cookie, { 'x-requested-with': sender });
      const refused = await app.call('PATCH', '/v2/account/', { name: 'Stolen' }, foreign);
      assert.deepEqual(
        [refused.status, refused.body],
        [403, { detail: 'A browser must send the header X-Requested-With: parley-console.', code: 'csrf_failed' }],
      );
    }
    const changed = await app.call('PATCH', '/v2/account/', { name: 'The Shop' }, as(cookie, fromConsole));
    assert.deepEqual([changed.status, changed.body.name], [200, 'The Shop']);
    assert.ok(changed.headers['ratelimit'] && changed.headers['x-request-id']);
  });

  test('a token in the Authorization header is asked first', async () => {
    const cookie = await signedIn();
    const wrong = await app.call('GET', '/v2/account/', undefined, { token: newToken(), headers: { cookie } });
    assert.equal(wrong.status, 401);
    const changed = await app.call('PATCH', '/v2/account/', {}, { headers: { cookie } });
    assert.equal(changed.status, 200);
  });

  test('401 for a cookie of nobody, and for cookies of somebody else', async () => {
    const wrong = await app.call('GET', '/v2/account/', undefined, as(`parley_session=${newToken()}`));
    assert.deepEqual([wrong.status, wrong.body.code], [401, 'authentication_failed']);
    for (const cookie of ['theme=dark', `not_parley_session=${secretOf(await signedIn())}`, 'parley_session=']) {
      const none = await app.call('GET', '/v2/account/', undefined, as(cookie));
      assert.deepEqual([none.status, none.body.code], [401, 'not_authenticated'], cookie);
    }
  });

  test('the live timeline can be read', async () => {
    const cookie = await signedIn();
    const head = await app.call('HEAD', '/v2/events/stream/', undefined, as(cookie));
    assert.equal(head.status, 200);
    const address = await app.app.listen({ port: 0, host: '127.0.0.1' });
    const answer = await fetch(`${address}/v2/events/stream/`, { headers: { cookie } });
    assert.equal(answer.status, 200);
    await answer.body!.cancel();
  });
});

describe(`GET and DELETE ${session}`, () => {
  test('GET tells who is signed in, and with a token whose it is', async () => {
    const answer = await open(good);
    assert.deepEqual((await app.call('GET', session, undefined, as(cookieOf(answer)))).body, answer.body);
    const { body } = await app.call('GET', session);
    assert.deepEqual(
      [body.account.uuid, body.user, body.scopes, body.expires],
      [app.accountId, null, ['read', 'write', 'operator'], null],
    );
    assert.equal((await app.call('GET', session, undefined, { token: null })).status, 401);
  });

  test('DELETE ends the session and clears the cookie; others go on', async () => {
    const [cookie, other] = [await signedIn(), await signedIn()];
    assert.equal((await app.call('DELETE', session, undefined, as(cookie))).status, 403);
    const ended = await app.call('DELETE', session, undefined, as(cookie, fromConsole));
    assert.equal(ended.status, 204);
    assert.match(String(ended.headers['set-cookie']), /^parley_session=; .*Max-Age=0/);
    assert.deepEqual([await statusWith(cookie), await statusWith(other)], [401, 200]);
  });

  test('DELETE leaves an API token as it is', async () => {
    const { token } = await makeToken();
    assert.equal((await app.call('DELETE', session, undefined, { token })).status, 204);
    assert.equal((await app.call('GET', session, undefined, { token })).status, 200);
  });
});

test('sessions are listed among the tokens by their kind, and can be revoked there', async () => {
  const cookie = await signedIn();
  const { results } = (await app.call('GET', '/v2/auth/tokens/?kind=SESSION')).body;
  assert.ok(results.every((one: { kind: string }) => one.kind === 'SESSION'));
  assert.equal(results[0].name, 'Session of ana');
  assert.equal((await app.call('DELETE', `/v2/auth/tokens/${results[0].uuid}/`)).status, 204);
  assert.equal(await statusWith(cookie), 401);
  const others = (await app.call('GET', '/v2/auth/tokens/?kind=API')).body.results;
  assert.ok(others.length > 0 && others.every((one: { kind: string }) => one.kind === 'API'));
  assert.deepEqual(Object.keys((await app.call('GET', '/v2/auth/tokens/?kind=OTHER')).body), ['kind']);
});

test('sessions that are over are removed, API tokens are not', async () => {
  const { uuid } = await makeToken();
  await signedIn();
  const { db } = app.deps;
  const newest = (await app.call('GET', '/v2/auth/tokens/?kind=SESSION')).body.results[0].uuid;
  const expires = '2020-01-01T00:00:00Z';
  await db.updateTable('tokens').set({ expires }).where('uuid', 'in', [uuid, newest]).execute();
  await purgeSessionsAnyAccount(db);
  const left = await db.selectFrom('tokens').select('uuid').where('uuid', 'in', [uuid, newest]).execute();
  assert.deepEqual(left, [{ uuid }]);
});
