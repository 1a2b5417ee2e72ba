import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { until } from '../../../../test/kit/until.ts';

const me = '/v2/users/me/';
const password = 'correct horse battery';
const other = 'staple battery horse';
const ours = { 'x-requested-with': 'parley-console' };

let app: TestApp;
let count = 0;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const make = async (): Promise<string> => {
  const username = `own-profile-${++count}`;
  assert.equal((await app.call('POST', '/v2/users/', { username, password, role: 'agent' })).status, 201);
  return username;
};
const signIn = async (username: string, secret = password) => {
  const { headers } = await app.call('POST', '/v2/auth/session/', { username, password: secret }, { token: null });
  const cookie = String(headers['set-cookie']).split(';')[0]!;
  return (method: 'GET' | 'PATCH' | 'POST' | 'DELETE', url: string, body?: object, more: Record<string, string> = {}) =>
    app.call(method, url, body, { token: null, headers: { cookie, ...ours, ...more } });
};

describe(me, () => {
  test('a user reads and changes the own profile, whatever the role', async () => {
    const call = await signIn(await make());
    const changed = await call('PATCH', me, { full_name: 'Ana', time_zone: 'Europe/Lisbon', language_code: 'pt_PT' });
    assert.equal(changed.status, 200);
    const { full_name, time_zone, language_code, role } = (await call('GET', me)).body;
    assert.deepEqual([full_name, time_zone, language_code, role], ['Ana', 'Europe/Lisbon', 'pt_PT', 'agent']);
    const session = (await call('GET', '/v2/auth/session/')).body.user;
    assert.deepEqual([session.full_name, session.time_zone], ['Ana', 'Europe/Lisbon']);
    assert.deepEqual(Object.keys((await call('PATCH', me, { time_zone: 'Nowhere' })).body), ['time_zone']);
  });

  test('what one is notified of is off until it is chosen, one by one', async () => {
    const call = await signIn(await make());
    const choose = async (notifications: object) => (await call('PATCH', me, { notifications })).body.notifications;
    assert.deepEqual((await call('GET', me)).body.notifications, { messages: false, missed_calls: false });
    assert.deepEqual(await choose({ messages: true }), { messages: true, missed_calls: false });
    assert.deepEqual(await choose({ missed_calls: true }), { messages: true, missed_calls: true });
    assert.deepEqual(await choose({ messages: false }), { messages: false, missed_calls: true });
    assert.deepEqual(await choose({ messages: 'perhaps' }), { messages: ['Must be a valid boolean.'] });
  });

  test('If-Match keeps one change from undoing another', async () => {
    const call = await signIn(await make());
    const etag = String((await call('GET', me)).headers['etag']);
    const changed = await call('PATCH', me, { full_name: 'Ana' }, { 'if-match': etag });
    assert.equal(changed.status, 200);
    const stale = await call('PATCH', me, { full_name: 'Bo' }, { 'if-match': etag });
    assert.deepEqual([stale.status, stale.body.code], [412, 'precondition_failed']);
    assert.equal((await call('GET', me, undefined, { 'if-none-match': String(changed.headers['etag']) })).status, 304);
    assert.equal((await app.call('PATCH', me, {}, { headers: { 'if-match': etag } })).body.code, 'not_a_user');
  });

  test('the token of a program has none', async () => {
    assert.deepEqual((await app.call('GET', me)).body.code, 'not_a_user');
    assert.equal((await app.call('DELETE', `${me}sessions/`)).status, 403);
  });
});

describe(`POST ${me}password/`, () => {
  const change = (current_password: string, new_password: string) => ({ current_password, new_password });

  test('asks for the password of now, and ends all other sessions and tokens of the user', async () => {
    const username = await make();
    const [call, elsewhere] = [await signIn(username), await signIn(username)];
    const wrong = await call('POST', `${me}password/`, change('something else', other));
    assert.deepEqual([wrong.status, Object.keys(wrong.body)], [400, ['current_password']]);
    assert.equal((await call('POST', `${me}password/`, change(password, other))).status, 204);
    assert.deepEqual([(await call('GET', me)).status, (await elsewhere('GET', me)).status], [200, 401]);
    assert.equal((await (await signIn(username, other))('GET', me)).status, 200);
    assert.equal((await (await signIn(username))('GET', me)).status, 401);
  });

  test('refuses passwords that are short, common, or the user name', async () => {
    const username = await make();
    const call = await signIn(username);
    for (const weak of ['short', 'qwertyuiop', 'Password2026!', username.toUpperCase()]) {
      const { status, body } = await call('POST', `${me}password/`, change(password, weak));
      assert.deepEqual([status, Object.keys(body)], [400, ['new_password']], weak);
    }
    const common = await app.call('POST', '/v2/users/', { username: 'common', password: 'iloveyou123' });
    assert.deepEqual(common.body, { password: ['This password is too common.'] });
  });

  test('is guessed at no faster than at the sign-in: 429 after five failures', async () => {
    const call = await signIn(await make());
    const tries = [];
    for (let round = 0; round < 7; round++)
      tries.push((await call('POST', `${me}password/`, change(`wrong ${round}`, other))).status);
    assert.deepEqual([tries.slice(0, 5), tries.at(-1)], [[400, 400, 400, 400, 400], 429]);
  });
});

describe(`${me}sessions/`, () => {
  test('lists where one is signed in, ends one of them, and all the others', async () => {
    const username = await make();
    const [here, there, third] = [await signIn(username), await signIn(username), await signIn(username)];
    const rows = (await here('GET', `${me}sessions/`)).body.results as { uuid: string; current: boolean }[];
    assert.deepEqual(
      rows.map(({ current }) => current),
      [false, false, true],
    );
    assert.equal((await here('DELETE', `${me}sessions/${rows[1]!.uuid}/`)).status, 204);
    assert.equal((await there('GET', me)).status, 401);
    assert.equal((await here('DELETE', `${me}sessions/`)).status, 204);
    assert.deepEqual([(await here('GET', me)).status, (await third('GET', me)).status], [200, 401]);
  });

  test("another user's session is not found", async () => {
    const [one, two] = [await signIn(await make()), await signIn(await make())];
    const [{ uuid }] = (await two('GET', `${me}sessions/`)).body.results;
    assert.equal((await one('DELETE', `${me}sessions/${uuid}/`)).status, 404);
    assert.equal((await two('GET', me)).status, 200);
  });
});

describe('Limits of sessions', () => {
  test('a session ends when nobody used it for long, and when the account shortens its sessions', async () => {
    const { body: account } = await app.call('GET', '/v2/account/');
    assert.deepEqual([account.session_days, account.session_idle_minutes, account.token_days], [30, null, null]);
    const call = await signIn(await make());
    const { uuid } = (await call('GET', `${me}sessions/`)).body.results[0];
    const set = async (change: object) => {
      await app.deps.db.updateTable('tokens').set(change).where('uuid', '=', uuid).execute();
      app.deps.caches.forget('tokens');
    };
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    /** That the session was used a moment ago may be noted only now, and then counts. */
    const untilEnded = (change: object) =>
      until(
        async () => {
          await set(change);
          return (await call('GET', me)).status;
        },
        (status) => status === 401,
      );
    await app.call('PATCH', '/v2/account/', { session_idle_minutes: 30 });
    await set({ last_used: ago(20) });
    assert.equal((await call('GET', me)).status, 200);
    await untilEnded({ last_used: ago(40) });
    await app.call('PATCH', '/v2/account/', { session_idle_minutes: null, session_days: 2 });
    assert.equal((await call('GET', me)).status, 200);
    await untilEnded({ created: ago(3 * 24 * 60) });
    await app.call('PATCH', '/v2/account/', { session_days: 30 });
  });
});
