import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';

const invitations = '/v2/invitations/';
const taking = '/v2/auth/invitation/';
const password = 'correct horse battery';

let app: TestApp;
let count = 0;
let addresses = 0;
before(async () => {
  app = await startTestApp({ ROLES: 'api', TRUST_PROXY: 'true' });
});
after(() => app.close());

const invite = async (body: object = {}) => {
  const made = await app.call('POST', invitations, body);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return { ...made.body, secret: String(made.body.link).split('/').at(-1)! };
};
// Each from an address of its own: those who try many wait.
const open = (url: string, body: object) =>
  app.call('POST', url, body, { token: null, headers: { 'x-forwarded-for': `192.0.2.${++addresses}` } });
const accept = (secret: string, more: object = {}) =>
  open(`${taking}accept/`, { secret, username: `invited${++count}`, password, ...more });

describe(invitations, () => {
  test('a link makes one user with the role, who can sign in, and works once', async () => {
    const { secret, link, role, status } = await invite({ email: 'bo@example.com', role: 'supervisor' });
    assert.match(link, /^https?:\/\/[^/]+\/console\/invitation\/[0-9a-f]{40}$/);
    assert.deepEqual([role, status], ['supervisor', 'PENDING']);
    const shown = (await open(taking, { secret })).body;
    assert.deepEqual([shown.kind, shown.username, shown.role], ['INVITATION', 'bo@example.com', 'supervisor']);
    const taken = await accept(secret, { username: 'bo@example.com', full_name: 'Bo' });
    assert.deepEqual([taken.status, taken.body], [200, { username: 'bo@example.com' }]);
    const signedIn = await app.call(
      'POST',
      '/v2/auth/token/',
      { username: 'bo@example.com', password },
      { token: null },
    );
    assert.equal(signedIn.status, 200);
    assert.equal((await accept(secret)).status, 404);
    assert.equal((await open(taking, { secret })).status, 404);
    const [row] = (await app.call('GET', invitations)).body.results;
    assert.deepEqual([row.status, row.link], ['ACCEPTED', undefined]);
    const [entry] = (await app.call('GET', '/v2/audit-log/?operation=acceptInvitation')).body.results;
    assert.equal(entry.actor.name, 'bo@example.com');
  });

  test('two who accept at once make one user', async () => {
    const { secret } = await invite();
    const answers = await Promise.all([accept(secret), accept(secret)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404]);
  });

  test('a bad name or password is a 400 that leaves the link alone', async () => {
    const { secret } = await invite();
    assert.deepEqual(Object.keys((await accept(secret, { password: 'short' })).body), ['password']);
    assert.deepEqual((await accept(secret, { password: '1234567890' })).body, {
      password: ['This password is too common.'],
    });
    const known = await accept(secret, { username: 'admin' });
    assert.deepEqual(known.body, { username: ['A user with that username already exists.'] });
    assert.equal((await open(taking, { secret })).status, 200);
  });

  test('a revoked or expired link does not work', async () => {
    const revoked = await invite();
    assert.equal((await app.call('DELETE', `${invitations}${revoked.uuid}/`)).status, 204);
    assert.equal((await open(taking, { secret: revoked.secret })).status, 404);
    const old = await invite();
    const over = { expires: new Date(Date.now() - 1000).toISOString() };
    await app.deps.db.updateTable('invitations').set(over).where('uuid', '=', old.uuid).execute();
    assert.equal((await accept(old.secret)).status, 404);
  });

  test('without a role it is an agent; nobody invites to more than they have; a role that is invited to stays', async () => {
    assert.equal((await invite()).role, 'agent');
    const { body: admin } = await app.call('POST', '/v2/auth/tokens/', { name: 'Admin', scopes: ['users:write'] });
    const { status, body } = await app.call('POST', invitations, { role: 'owner' }, { token: admin.token });
    assert.deepEqual([status, Object.keys(body)], [400, ['role']]);
    await app.call('POST', '/v2/roles/', { name: 'Guests', scopes: ['inbox:read'] });
    await invite({ role: 'guests' });
    assert.equal((await app.call('DELETE', '/v2/roles/guests/')).body.code, 'role_in_use');
  });

  test('whoever tries many links waits', async () => {
    const statuses = [];
    for (let round = 0; round < 7; round++) {
      const guess = { secret: `guess ${round}` };
      const headers = { 'x-forwarded-for': '198.51.100.7' };
      statuses.push((await app.call('POST', taking, guess, { token: null, headers })).status);
    }
    assert.deepEqual([statuses.slice(0, 5), statuses.at(-1)], [[404, 404, 404, 404, 404], 429]);
  });

  test('another account neither sees nor revokes it', async () => {
    const { uuid } = await invite();
    const as = { token: app.otherToken };
    assert.equal((await app.call('GET', invitations, undefined, as)).body.count, 0);
    assert.equal((await app.call('DELETE', `${invitations}${uuid}/`, undefined, as)).status, 404);
  });
});

describe('POST /v2/users/{uuid}/password-reset/', () => {
  test('a link gives the user another password, once, and ends their sessions', async () => {
    const username = 'forgetful';
    const user = (await app.call('POST', '/v2/users/', { username, password, role: 'agent' })).body;
    const token = (await app.call('POST', '/v2/auth/token/', { username, password }, { token: null })).body.token;
    const first = await app.call('POST', `/v2/users/${user.uuid}/password-reset/`);
    const made = await app.call('POST', `/v2/users/${user.uuid}/password-reset/`);
    assert.equal(made.status, 201);
    const [old, secret] = [first, made].map(({ body }) => String(body.link).split('/').at(-1)!);
    assert.equal((await open(taking, { secret: old })).status, 404);
    assert.deepEqual((await open(taking, { secret })).body.kind, 'RESET');
    const taken = await open(`${taking}accept/`, { secret, password: 'staple battery horse' });
    assert.deepEqual(taken.body, { username });
    assert.equal((await app.call('GET', '/v2/contacts/', undefined, { token })).status, 401);
    const again = { username, password: 'staple battery horse' };
    assert.equal((await app.call('POST', '/v2/auth/token/', again, { token: null })).status, 200);
  });

  test('403 for a user who may do more, 404 for one of another account', async () => {
    const owner = (await app.call('POST', '/v2/users/', { username: 'boss', password, role: 'owner' })).body;
    const reset = `/v2/users/${owner.uuid}/password-reset/`;
    const { body } = await app.call('POST', '/v2/auth/tokens/', { name: 'Users', scopes: ['users:write'] });
    assert.equal((await app.call('POST', reset, undefined, { token: body.token })).status, 403);
    assert.equal((await app.call('POST', reset, undefined, { token: app.otherToken })).status, 404);
  });
});
