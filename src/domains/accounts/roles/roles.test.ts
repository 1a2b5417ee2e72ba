import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { scopeGroups } from '../../../platform/http/route.ts';
import { builtInRoles } from './built-in.ts';

const roles = '/v2/roles/';
const password = 'correct horse battery';

let app: TestApp;
let count = 0;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const makeRole = async (scopes: string[]): Promise<{ uuid: string; name: string }> => {
  const { status, body } = await app.call('POST', roles, { name: `Role ${++count}`, scopes });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
};
const makeUser = async (rights: object): Promise<{ uuid: string; username: string }> => {
  const { status, body } = await app.call('POST', '/v2/users/', { username: `member${++count}`, password, ...rights });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
};
const signIn = async (username: string): Promise<string> => {
  const { headers } = await app.call('POST', '/v2/auth/session/', { username, password }, { token: null });
  return String(headers['set-cookie']).split(';')[0]!;
};
const tokenOf = async (username: string): Promise<string> =>
  (await app.call('POST', '/v2/auth/token/', { username, password }, { token: null })).body.token;
const statusOf = async (cookie: string, url: string): Promise<number> =>
  (await app.call('GET', url, undefined, { token: null, headers: { cookie } })).status;

describe(roles, () => {
  test('the built-in roles name groups that exist', () => {
    for (const scope of builtInRoles.flatMap(({ scopes }) => scopes)) {
      assert.ok(scope === 'read' || scope === 'write' || scopeGroups[scope.split(':')[0]!], scope);
    }
  });

  test('the built-in roles come first, are found by name, and cannot be changed', async () => {
    const { body } = await app.call('GET', roles);
    const names = body.results.slice(0, 7).map(({ name }: { name: string }) => name);
    assert.deepEqual(names, ['owner', 'admin', 'developer', 'supervisor', 'agent', 'analyst', 'billing']);
    const agent = (await app.call('GET', `${roles}agent/`)).body;
    assert.deepEqual(agent.scopes, ['inbox:read', 'inbox:write', 'contacts:read', 'optouts:read']);
    assert.deepEqual([agent.built_in, agent.uuid], [true, null]);
    assert.equal((await app.call('PATCH', `${roles}agent/`, { scopes: ['read'] })).body.code, 'role_built_in');
    assert.equal((await app.call('DELETE', `${roles}Owner/`)).status, 409);
    const taken = { name: ['A role with that name already exists.'] };
    assert.deepEqual((await app.call('POST', roles, { name: 'Agent', scopes: ['read'] })).body, taken);
  });

  test('a role is made, found by uuid and by name in any case, renamed with its users, and deleted when nobody has it', async () => {
    const role = await makeRole(['inbox:read']);
    assert.equal(
      (await app.call('GET', `${roles}${role.name.toUpperCase().replace(' ', '%20')}/`)).body.uuid,
      role.uuid,
    );
    const user = await makeUser({ role: role.name.toLowerCase() });
    const renamed = await app.call('PATCH', `${roles}${role.uuid}/`, { name: 'Day shift' });
    assert.deepEqual([renamed.body.name, renamed.body.users], ['Day shift', 1]);
    assert.equal((await app.call('GET', `/v2/users/${user.uuid}/`)).body.role, 'Day shift');
    assert.equal((await app.call('DELETE', `${roles}${role.uuid}/`)).body.code, 'role_in_use');
    await app.call('DELETE', `/v2/users/${user.uuid}/`);
    assert.equal((await app.call('DELETE', `${roles}${role.uuid}/`)).status, 204);
    assert.equal((await app.call('GET', `${roles}${role.uuid}/`)).status, 404);
  });

  test('a role of another account is unknown', async () => {
    const role = await makeRole(['inbox:read']);
    for (const [method, body] of [['GET'], ['PATCH', { scopes: ['read'] }], ['DELETE']] as const) {
      assert.equal((await app.call(method, `${roles}${role.uuid}/`, body, { token: app.otherToken })).status, 404);
    }
    const { body } = await app.call(
      'POST',
      '/v2/users/',
      { username: `member${++count}`, password, role: role.name },
      { token: app.otherToken },
    );
    assert.deepEqual(body, { role: ['There is no such role.'] });
  });

  test('400 for scopes that do not exist, for a name twice, and for a role together with scopes', async () => {
    const wrong = await app.call('POST', roles, { name: 'Wrong', scopes: ['inbox:read', 'nonsense:read', 'operator'] });
    assert.deepEqual(Object.keys(wrong.body), ['scopes']);
    const { name } = await makeRole(['read']);
    const twice = await app.call('POST', roles, { name: name.toUpperCase(), scopes: ['read'] });
    assert.deepEqual(twice.body, { name: ['A role with that name already exists.'] });
    const both = { username: `member${++count}`, password, role: 'agent', scopes: ['read'] };
    assert.deepEqual((await app.call('POST', '/v2/users/', both)).body, { role: ['Give role or scopes, not both.'] });
  });

  test('changing a role changes what live sessions may do at once, and ends tokens that may do more', async () => {
    const role = await makeRole(['inbox:read', 'tokens:write', 'contacts:read']);
    const { username } = await makeUser({ role: role.name });
    const cookie = await signIn(username);
    const token = await tokenOf(username);
    const made = await app.call('POST', '/v2/auth/tokens/', { name: 'Own', scopes: ['contacts:read'] }, { token });
    assert.equal(made.status, 201);
    assert.deepEqual([await statusOf(cookie, '/v2/contacts/'), await statusOf(cookie, '/v2/cdr/')], [200, 403]);
    await app.call('PATCH', `${roles}${role.uuid}/`, { scopes: ['calls:read'] });
    assert.deepEqual([await statusOf(cookie, '/v2/contacts/'), await statusOf(cookie, '/v2/cdr/')], [403, 200]);
    assert.equal((await app.call('GET', '/v2/cdr/', undefined, { token })).status, 200);
    assert.equal((await app.call('GET', '/v2/contacts/', undefined, { token: made.body.token })).status, 401);
  });

  test('an agent has the inbox alone, and an analyst no recordings', async () => {
    const agent = await signIn((await makeUser({ role: 'agent' })).username);
    for (const url of ['/v2/chatapp/conversations/', '/v2/chatapp/messages/', '/v2/contacts/']) {
      assert.equal(await statusOf(agent, url), 200, url);
    }
    const closed = [
      '/v2/chatapp/chat-intros/',
      '/v2/users/',
      '/v2/account/',
      '/v2/cdr/',
      '/v2/campaigns/',
      '/v2/audit-log/',
    ];
    for (const url of closed) assert.equal(await statusOf(agent, url), 403, url);
    const analyst = await signIn((await makeUser({ role: 'analyst' })).username);
    const unknown = '019a3c5e-7a10-7000-9d0c-3f1f0f6f3a11';
    for (const url of ['/v2/voice/calls/', '/v2/cdr/', '/v2/insights/']) {
      assert.equal(await statusOf(analyst, url), 200, url);
    }
    assert.equal(await statusOf(analyst, `/v2/voice/calls/${unknown}/recording/`), 403);
    const supervisor = await signIn((await makeUser({ role: 'supervisor' })).username);
    assert.equal(await statusOf(supervisor, `/v2/voice/calls/${unknown}/recording/`), 404);
  });

  test('nobody gives a role that may do more than they, changes one, or touches its users: an admin makes no owner', async () => {
    const token = await tokenOf((await makeUser({ role: 'admin' })).username);
    const owner = await makeUser({ role: 'owner' });
    const up = await app.call('POST', '/v2/users/', { username: 'up', password, role: 'owner' }, { token });
    assert.deepEqual(up.body, { role: ['Your own token does not have: write.'] });
    assert.equal((await app.call('PATCH', `/v2/users/${owner.uuid}/`, { role: 'agent' }, { token })).status, 403);
    assert.equal((await app.call('DELETE', `/v2/users/${owner.uuid}/`, undefined, { token })).status, 403);
    const wide = await makeRole(['read', 'write']);
    assert.equal((await app.call('PATCH', `${roles}${wide.uuid}/`, { scopes: ['read'] }, { token })).status, 403);
    const narrow = await makeRole(['inbox:read']);
    const widened = await app.call('PATCH', `${roles}${narrow.uuid}/`, { scopes: ['write'] }, { token });
    assert.deepEqual(widened.body, { scopes: ['Your own token does not have: write.'] });
    const below = await app.call('POST', '/v2/users/', { username: 'below', password, role: 'supervisor' }, { token });
    assert.equal(below.status, 201);
  });

  test('scopes in place of a role make the user custom, and a role in place of scopes gives those of the role', async () => {
    const { uuid } = await makeUser({ scopes: ['read'] });
    const given = await app.call('PATCH', `/v2/users/${uuid}/`, { role: 'billing' });
    assert.deepEqual([given.body.role, given.body.scopes], ['billing', ['billing:read', 'number:read']]);
    const custom = await app.call('PATCH', `/v2/users/${uuid}/`, { scopes: ['sms:read'] });
    assert.deepEqual([custom.body.role, custom.body.scopes], [null, ['sms:read']]);
  });
});

describe('the last owner', () => {
  let token: string;
  let owner: string;
  before(async () => {
    const { body } = await app.call('POST', '/v2/accounts/', { name: 'Owned' });
    token = (await app.call('POST', `/v2/accounts/${body.uuid}/tokens/`, {})).body.token;
    owner = (await app.call('POST', '/v2/users/', { username: 'only-owner', password, role: 'owner' }, { token })).body
      .uuid;
    await app.call('POST', '/v2/users/', { username: 'only-agent', password, role: 'agent' }, { token });
  });

  test('cannot be deleted or demoted', async () => {
    const one = `/v2/users/${owner}/`;
    assert.equal((await app.call('PATCH', one, { role: 'admin' }, { token })).body.code, 'last_owner');
    assert.equal((await app.call('PATCH', one, { scopes: ['read'] }, { token })).body.code, 'last_owner');
    assert.equal((await app.call('DELETE', one, undefined, { token })).body.code, 'last_owner');
    assert.equal((await app.call('GET', one, undefined, { token })).body.role, 'owner');
  });

  test('of two owners who demote each other at once, one stays', async () => {
    const second = await app.call(
      'POST',
      '/v2/users/',
      { username: 'second-owner', password, role: 'owner' },
      { token },
    );
    const answers = await Promise.all(
      [owner, second.body.uuid].map((uuid) => app.call('PATCH', `/v2/users/${uuid}/`, { role: 'agent' }, { token })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  });

  test('is not taken away by narrowing the role that makes somebody one', async () => {
    const { body: account } = await app.call('POST', '/v2/accounts/', { name: 'Owned by a role' });
    const token = (await app.call('POST', `/v2/accounts/${account.uuid}/tokens/`, {})).body.token;
    await app.call('POST', roles, { name: 'Chief', scopes: ['read', 'write'] }, { token });
    await app.call('POST', '/v2/users/', { username: 'chief', password, role: 'Chief' }, { token });
    const narrowed = await app.call('PATCH', `${roles}chief/`, { scopes: ['read'] }, { token });
    assert.equal(narrowed.body.code, 'last_owner');
  });
});
