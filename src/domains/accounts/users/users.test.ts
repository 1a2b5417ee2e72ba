import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { newId } from '../../../platform/ids.ts';
import { newToken, tokenHash } from '../../../platform/secrets.ts';

const users = '/v2/users/';
const password = 'correct horse battery';

let app: TestApp;
let count = 0;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const make = async (request: object = {}) => {
  const { status, body } = await app.call('POST', users, { username: `user${++count}`, password, ...request });
  assert.equal(status, 201, JSON.stringify(body));
  return body as { uuid: string; username: string };
};
const one = ({ uuid }: { uuid: string }): string => `${users}${uuid}/`;
const tokenFor = async (username: string, secret = password): Promise<string> =>
  (await app.call('POST', '/v2/auth/token/', { username, password: secret }, { token: null })).body.token;
const cookieFor = async (username: string): Promise<string> => {
  const { headers } = await app.call('POST', '/v2/auth/session/', { username, password }, { token: null });
  return String(headers['set-cookie']).split(';')[0]!;
};
const statuses = async (token: string, cookie: string): Promise<number[]> => [
  (await app.call('GET', users, undefined, { token })).status,
  (await app.call('GET', users, undefined, { token: null, headers: { cookie } })).status,
];
const narrow = async (scopes: string[]): Promise<string> =>
  (await app.call('POST', '/v2/auth/tokens/', { name: 'Narrow', scopes })).body.token;

describe(users, () => {
  test('a user is made, listed and read without the password, and can sign in', async () => {
    const user = await make({ username: 'Bo@example.com' });
    assert.deepEqual(user, {
      uuid: user.uuid,
      username: 'Bo@example.com',
      full_name: '',
      role: null,
      scopes: ['read', 'write'],
      active: true,
      created: (user as unknown as { created: string }).created,
      last_sign_in: null,
    });
    const { body } = await app.call('GET', users);
    assert.deepEqual(
      body.results.find(({ uuid }: { uuid: string }) => uuid === user.uuid),
      user,
    );
    assert.equal((await app.call('GET', users, undefined, { token: await tokenFor('bo@EXAMPLE.com') })).status, 200);
    const read = (await app.call('GET', one(user))).body;
    assert.deepEqual({ ...read, last_sign_in: null }, user);
    assert.ok(Date.parse(read.last_sign_in) > Date.now() - 60_000);
  });

  test('400 for a name that somebody has, in any case and in any account', async () => {
    const { username } = await make();
    const taken = { username: ['A user with that username already exists.'] };
    for (const token of [app.token, app.otherToken]) {
      const answer = await app.call('POST', users, { username: username.toUpperCase(), password }, { token });
      assert.deepEqual([answer.status, answer.body], [400, taken]);
    }
    const other = await make();
    const patched = await app.call('PATCH', one(other), { username });
    assert.deepEqual([patched.status, patched.body], [400, taken]);
    assert.equal((await app.call('PATCH', one(other), { username: other.username.toUpperCase() })).status, 200);
  });

  test('of several who ask for one name at once, one gets it', async () => {
    const asked = Array.from({ length: 4 }, () => app.call('POST', users, { username: 'contested', password }));
    const got = (await Promise.all(asked)).map(({ status }) => status);
    assert.deepEqual(got.toSorted(), [201, 400, 400, 400]);
  });

  test('400 for what makes no good name or password, each named', async () => {
    const wrong: [string, unknown][] = [
      ['username', ''],
      ['username', 'two words'],
      ['username', 'аdmin'],
      ['username', 'x'.repeat(151)],
      ['password', 'short'],
      ['password', null],
      ['password', 'WrongName1'],
      ['scopes', []],
      ['scopes', ['everything']],
    ];
    for (const [field, value] of wrong) {
      const answer = await app.call('POST', users, { username: 'wrongname1', password, [field]: value });
      assert.deepEqual([answer.status, Object.keys(answer.body)], [400, [field]], `${field} ${value}`);
    }
    const user = await make({ username: 'long-enough' });
    const same = await app.call('PATCH', one(user), { password: 'Long-Enough' });
    assert.deepEqual(same.body, { password: ['The password is too similar to the username.'] });
  });

  test('401 without a token, 404 for a user of another account', async () => {
    const user = await make();
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const body = method === 'PATCH' ? {} : undefined;
      assert.equal((await app.call(method, one(user), body, { token: null })).status, 401);
      assert.equal((await app.call(method, one(user), body, { token: app.otherToken })).status, 404);
    }
    assert.equal((await app.call('GET', one(user))).status, 200);
  });
});

describe('Scopes', () => {
  test('nobody gives more than they have, and only an operator makes operators', async () => {
    const token = await narrow(['account:write', 'chatapp:read']);
    for (const scopes of [undefined, ['operator'], ['chatapp:write']]) {
      const { status, body } = await app.call('POST', users, { username: 'more', password, scopes }, { token });
      assert.deepEqual([status, Object.keys(body)], [400, ['scopes']]);
    }
    const user = await make({ scopes: ['chatapp:read'] });
    const raised = await app.call('PATCH', one(user), { scopes: ['operator'] }, { token });
    assert.deepEqual([raised.status, Object.keys(raised.body)], [400, ['scopes']]);
    assert.equal((await app.call('PATCH', one(user), { scopes: ['operator'] })).status, 200);
  });

  test('403 for whoever would take over or delete a user who may do more', async () => {
    const user = await make({ scopes: ['read', 'write', 'operator'] });
    const token = await narrow(['read', 'write']);
    const change = { password: 'mine from now on' };
    assert.equal((await app.call('PATCH', one(user), change, { token })).status, 403);
    assert.equal((await app.call('DELETE', one(user), undefined, { token })).status, 403);
    assert.ok(await tokenFor(user.username));
  });

  test('whoever signs in has the scopes of the user', async () => {
    const { username } = await make({ scopes: ['account:read'] });
    const token = await tokenFor(username);
    assert.equal((await app.call('GET', users, undefined, { token })).status, 200);
    assert.equal((await app.call('POST', users, {}, { token })).status, 403);
  });
});

describe('What signing in gave ends at once', () => {
  const changes = { password: { password: 'another good one' }, scopes: { scopes: ['read'] } };
  for (const [what, change] of Object.entries(changes)) {
    test(`when the ${what} changes`, async () => {
      const user = await make();
      const [token, cookie] = [await tokenFor(user.username), await cookieFor(user.username)];
      assert.deepEqual(await statuses(token, cookie), [200, 200]);
      assert.equal((await app.call('PATCH', one(user), change)).status, 200);
      assert.deepEqual(await statuses(token, cookie), [401, 401]);
    });
  }

  test('when the user is deleted, sessions opened with such a token and tokens made with it included', async () => {
    const user = await make();
    const token = await tokenFor(user.username);
    const opened = await app.call('POST', '/v2/auth/session/', { token }, { token: null });
    assert.deepEqual([opened.body.user.uuid, opened.body.user.username], [user.uuid, user.username]);
    const cookie = String(opened.headers['set-cookie']).split(';')[0]!;
    const made = await app.call('POST', '/v2/auth/tokens/', { name: 'Made by them' }, { token });
    assert.equal((await app.call('DELETE', one(user))).status, 204);
    assert.deepEqual(await statuses(token, cookie), [401, 401]);
    assert.equal((await app.call('GET', one(user), undefined, { token: made.body.token })).status, 401);
  });

  test('and not when the name changes, or the same scopes are given again', async () => {
    const user = await make();
    const [token, cookie] = [await tokenFor(user.username), await cookieFor(user.username)];
    const change = { username: `renamed${count}`, scopes: ['write', 'read'] };
    assert.equal((await app.call('PATCH', one(user), change)).status, 200);
    assert.deepEqual(await statuses(token, cookie), [200, 200]);
    assert.equal((await app.call('PATCH', one(user), {})).body.username, change.username);
  });

  test('the old password does not open again what the new one closed', async () => {
    const user = await make();
    assert.equal((await app.call('PATCH', one(user), { password: 'a brand new one' })).status, 200);
    assert.equal(await tokenFor(user.username), undefined);
    assert.ok(await tokenFor(user.username, 'a brand new one'));
  });
});

test('DELETE › 409 for the last user, also when two go at once', async () => {
  const { db } = app.deps;
  const accountId = newId();
  await db.insertInto('accounts').values({ uuid: accountId, name: 'Two people' }).execute();
  const password_hash = await app.deps.passwords.hash(password);
  const pair = ['first', 'second'].map((username) => ({
    account_id: accountId,
    uuid: newId(),
    username,
    password_hash,
  }));
  await db.insertInto('users').values(pair).execute();
  const token = newToken();
  const row = { account_id: accountId, uuid: newId(), name: 'test', hash: tokenHash(token), scopes: ['read', 'write'] };
  await db.insertInto('tokens').values(row).execute();
  const answers = await Promise.all(pair.map((user) => app.call('DELETE', one(user), undefined, { token })));
  const refused = answers.filter(({ status }) => status === 409);
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 409]);
  assert.equal(refused[0]?.body.code, 'last_user');
  const left = await db.selectFrom('users').select('uuid').where('account_id', '=', accountId).execute();
  assert.equal(left.length, 1);
});
