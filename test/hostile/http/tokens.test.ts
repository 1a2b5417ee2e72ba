import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApp, type TestApp } from '../../kit/app.ts';

// A token never gives what its maker does not have: more rights, a longer life, or a secret of somebody else.

const tokens = '/v2/auth/tokens/';
const password = 'correct horse battery';

let app: TestApp;
let base: string;
let users = 0;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
  base = await app.app.listen({ port: 0, host: '127.0.0.1' });
});
after(() => app.close());

interface Reply {
  status: number;
  replayed: string | null;
  cookie: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  body: any;
}

/** Over the wire, with a token or with a session's cookie. */
async function ask(
  method: string,
  path: string,
  { as = app.token, body, key }: { as?: string | null; body?: object; key?: string } = {},
): Promise<Reply> {
  const answer = await fetch(base + path, {
    method,
    headers: {
      ...(as?.startsWith('parley_session=') && { cookie: as, 'x-requested-with': 'parley-console' }),
      ...(as && !as.startsWith('parley_session=') && { authorization: `Token ${as}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...(key && { 'idempotency-key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    replayed: answer.headers.get('idempotent-replayed'),
    cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '',
    body: text === '' ? undefined : JSON.parse(text),
  };
}

const make = async (request: object, as = app.token) => {
  const { status, body } = await ask('POST', tokens, { as, body: { name: 'Program', ...request } });
  assert.equal(status, 201, JSON.stringify(body));
  return body as { uuid: string; token: string; expires: string | null; created_by: string | null };
};
const works = async (as: string): Promise<boolean> => {
  const { status } = await ask('GET', '/v2/account/', { as });
  assert.ok(status === 200 || status === 401, String(status));
  return status === 200;
};
const listed = async (uuid: string) =>
  (await ask('GET', `${tokens}?page_size=200`)).body.results.find((one: { uuid: string }) => one.uuid === uuid);
const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

async function makeUser() {
  const username = `person${++users}`;
  const { uuid } = (await ask('POST', '/v2/users/', { body: { username, password } })).body;
  const session = (await ask('POST', '/v2/auth/session/', { as: null, body: { username, password } })).cookie;
  return { uuid, username, url: `/v2/users/${uuid}/`, session };
}

test('a token that is made by one that expires expires no later, however it is asked for', async () => {
  const brief = await make({ expires: inSeconds(600) });
  const child = await make({}, brief.token);
  assert.equal(child.expires, brief.expires);
  const sooner = await make({ expires: inSeconds(60) }, child.token);
  assert.ok(Date.parse(sooner.expires!) < Date.parse(brief.expires!));
  for (const expires of [null, inSeconds(3600)]) {
    const { status, body } = await ask('POST', tokens, { as: child.token, body: { name: 'Longer', expires } });
    assert.deepEqual([status, Object.keys(body)], [400, ['expires']]);
  }
  const session = (await ask('POST', '/v2/auth/session/', { as: null, body: { token: brief.token } })).cookie;
  assert.equal((await make({}, session)).expires, brief.expires);
});

test('it can do no more than its maker', async () => {
  const narrow = await make({ scopes: ['account:write', 'account:read', 'sms:read'] });
  for (const scopes of [['write'], ['operator'], ['sms:write'], undefined]) {
    const { status, body } = await ask('POST', tokens, { as: narrow.token, body: { name: 'More', scopes } });
    assert.deepEqual([status, Object.keys(body)], [400, ['scopes']]);
  }
  assert.ok(await make({ scopes: ['sms:read'] }, narrow.token));
});

test('with a token end all that were made from it, over any number of steps, and no others', async () => {
  const root = await make({});
  const child = await make({}, root.token);
  const session = (await ask('POST', '/v2/auth/session/', { as: null, body: { token: child.token } })).cookie;
  const last = await make({}, session);
  const neighbour = await make({});
  for (const one of [root.token, child.token, session, last.token, neighbour.token]) assert.ok(await works(one));
  assert.equal((await ask('DELETE', `${tokens}${root.uuid}/`)).status, 204);
  for (const one of [root.token, child.token, session, last.token]) assert.equal(await works(one), false);
  assert.ok(await works(neighbour.token));
});

test('what a user made ends when the password changes and when the user is deleted, and not by signing out', async () => {
  const user = await makeUser();
  const made = await make({}, user.session);
  const child = await make({}, made.token);
  assert.deepEqual([made.expires, made.created_by, child.created_by], [null, user.username, 'Program']);
  assert.equal((await ask('DELETE', '/v2/auth/session/', { as: user.session })).status, 204);
  assert.deepEqual([await works(user.session), await works(made.token), await works(child.token)], [false, true, true]);
  assert.equal((await ask('PATCH', user.url, { body: { password: 'another good one' } })).status, 200);
  assert.deepEqual([await works(made.token), await works(child.token)], [false, false]);

  const other = await makeUser();
  const others = await make({}, other.session);
  assert.ok(await works(others.token));
  assert.equal((await ask('DELETE', other.url)).status, 204);
  assert.deepEqual([await works(other.session), await works(others.token)], [false, false]);
});

test('when a user may do less, tokens that they made and that may do more end', async () => {
  const user = await makeUser();
  const [full, narrow] = [await make({}, user.session), await make({ scopes: ['account:read'] }, user.session)];
  assert.equal((await ask('PATCH', user.url, { body: { scopes: ['read'] } })).status, 200);
  assert.deepEqual(
    [await works(user.session), await works(full.token), await works(narrow.token)],
    [false, false, true],
  );
});

test('a token that is revoked while it makes others leaves none behind', async () => {
  for (let round = 0; round < 5; round++) {
    const root = await make({});
    const asked = Array.from({ length: 6 }, () => ask('POST', tokens, { as: root.token, body: { name: 'Late' } }));
    const [revoked, ...made] = await Promise.all([ask('DELETE', `${tokens}${root.uuid}/`), ...asked]);
    assert.equal(revoked.status, 204);
    for (const { status, body } of made) {
      assert.ok(status === 201 || status === 401, JSON.stringify(body));
      if (status === 201) assert.equal(await works(body.token), false);
    }
  }
});

test('revoking needs the scopes of what is revoked', async () => {
  const full = await make({ scopes: ['read', 'write', 'operator'] });
  const narrow = await make({ scopes: ['account:write', 'sms:read'] });
  const less = await make({ scopes: ['sms:read'] });
  const revoke = async ({ uuid }: { uuid: string }) =>
    (await ask('DELETE', `${tokens}${uuid}/`, { as: narrow.token })).status;
  assert.deepEqual([await revoke(full), await works(full.token)], [403, true]);
  assert.equal(await revoke(less), 204);
  assert.equal(await revoke(narrow), 204);
});

test('an Idempotency-Key is the token’s own: another one neither sees the answer nor is kept from its request', async () => {
  const body = { name: 'Secret once' };
  const other = await make({});
  const first = await ask('POST', tokens, { body, key: 'same key' });
  const again = await ask('POST', tokens, { body, key: 'same key' });
  assert.deepEqual([again.body, again.replayed], [first.body, 'true']);
  const foreign = await ask('POST', tokens, { as: other.token, body, key: 'same key' });
  assert.deepEqual([foreign.status, foreign.replayed], [201, null]);
  assert.notEqual(foreign.body.token, first.body.token);
  const different = await ask('POST', tokens, { as: other.token, body: { name: 'Another' }, key: 'same key' });
  assert.equal(different.status, 422);
});

test('a user who signs in again repeats a request with the same key', async () => {
  const { username, session } = await makeUser();
  const body = { name: 'Repeated' };
  const first = await ask('POST', tokens, { as: session, body, key: 'of the user' });
  const later = (await ask('POST', '/v2/auth/session/', { as: null, body: { username, password } })).cookie;
  assert.notEqual(later, session);
  const again = await ask('POST', tokens, { as: later, body, key: 'of the user' });
  assert.deepEqual([again.body, again.replayed], [first.body, 'true']);
});

test('the list tells who made a token, when it was last used, and from where', async () => {
  const parent = await make({ name: 'Parent' });
  const child = await make({ name: 'Child' }, parent.token);
  const { created_by, last_used, last_used_address } = await listed(child.uuid);
  assert.deepEqual([created_by, last_used, last_used_address], ['Parent', null, null]);
  assert.ok(await works(child.token));
  let used = await listed(child.uuid);
  while (used.last_used === null) used = await listed(child.uuid);
  assert.equal(used.last_used_address, '127.0.0.1');
  assert.ok(Math.abs(Date.parse(used.last_used) - Date.now()) < 600_000);
});
