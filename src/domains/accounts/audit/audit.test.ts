import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { purgeAuditLogAnyAccount } from './queries.ts';

const log = '/v2/audit-log/';
const password = 'correct horse battery';

let app: TestApp;
let ana: { uuid: string };
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
  ana = (await app.call('POST', '/v2/users/', { username: 'ana', password })).body;
});
after(() => app.close());

const entries = async (query = '', token = app.token) =>
  (await app.call('GET', `${log}${query}`, undefined, { token })).body.results;
const newest = async () => (await entries('?page_size=1'))[0];
const enter = (username: string, secret: string, url = '/v2/auth/token/') =>
  app.call('POST', url, { username, password: secret }, { token: null });

describe('What a change leaves', () => {
  test('who, what, where from, and the id of the request, but nothing of what was sent', async () => {
    const headers = { 'x-request-id': 'audit-1' };
    const made = await app.call('POST', '/v2/auth/tokens/?note=hidden', { name: 'Confidential' }, { headers });
    const entry = await newest();
    const { uuid, name } = (await entries('?operation=createToken'))[0].actor;
    assert.deepEqual(entry, {
      uuid: entry.uuid,
      created: entry.created,
      actor: { type: 'TOKEN', uuid, name },
      operation: 'createToken',
      summary: 'Create a token; its secret is shown once',
      method: 'POST',
      path: '/v2/auth/tokens/',
      status: 201,
      address: '127.0.0.1',
      request_id: 'audit-1',
      sequence: null,
      hash: null,
    });
    assert.equal(name, 'First token');
    const { rows } = await sql<{ all: string }>`select string_agg(audit_log::text, '') as all from audit_log`.execute(
      app.deps.db,
    );
    for (const secret of [made.body.token, 'Confidential', 'hidden', password, app.token]) {
      assert.ok(!rows[0]!.all.includes(secret), secret);
    }
  });

  test('the person who signed in, or the token that a session was opened with', async () => {
    const act = async (cookie: string) => {
      const headers = { cookie, 'x-requested-with': 'parley-console' };
      assert.equal((await app.call('PATCH', '/v2/account/', {}, { token: null, headers })).status, 200);
      return (await newest()).actor;
    };
    const open = async (body: object) => {
      const { headers } = await app.call('POST', '/v2/auth/session/', body, { token: null });
      return String(headers['set-cookie']).split(';')[0]!;
    };
    assert.deepEqual(await act(await open({ username: 'ana', password })), {
      type: 'USER',
      uuid: ana.uuid,
      name: 'ana',
    });
    const { uuid, token } = (await app.call('POST', '/v2/auth/tokens/', { name: 'Laptop' })).body;
    assert.deepEqual(await act(await open({ token })), { type: 'TOKEN', uuid, name: 'Laptop' });
  });

  test('nothing when it is refused, and one entry however often a keyed request is repeated', async () => {
    const count = async () => (await entries('?page_size=200')).length;
    const before = await count();
    assert.equal((await app.call('POST', '/v2/auth/tokens/', {})).status, 400);
    assert.equal((await app.call('DELETE', `/v2/auth/tokens/${ana.uuid}/`)).status, 404);
    assert.equal((await app.call('PATCH', '/v2/account/', {}, { token: null })).status, 401);
    assert.equal(await count(), before);
    const headers = { 'idempotency-key': 'once' };
    for (let tries = 0; tries < 3; tries++) {
      assert.equal((await app.call('POST', '/v2/auth/tokens/', { name: 'Keyed' }, { headers })).status, 201);
    }
    assert.equal(await count(), before + 1);
  });

  test('one entry each when many come at once', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `together-${index}`);
    await Promise.all(ids.map((id) => app.call('PATCH', '/v2/account/', {}, { headers: { 'x-request-id': id } })));
    const seen = (await entries('?page_size=200')).map((entry: { request_id: string }) => entry.request_id);
    for (const id of ids) assert.equal(seen.filter((one: string) => one === id).length, 1);
  });
});

describe('Sign-ins', () => {
  test('are told with their user, failed ones too, without the password', async () => {
    for (const [url, operation] of [
      ['/v2/auth/token/', 'getAuthToken'],
      ['/v2/auth/session/', 'createSession'],
    ] as const) {
      assert.equal((await enter('ANA', 'a wrong password', url)).status, 400);
      assert.equal((await enter('ANA', password, url)).status, 200);
      const [good, bad] = await entries(`?operation=${operation}&actor=${ana.uuid}`);
      assert.deepEqual([good.status, bad.status], [200, 400]);
      for (const { actor } of [good, bad]) assert.deepEqual(actor, { type: 'USER', uuid: ana.uuid, name: 'ana' });
    }
  });

  test('with a name that nobody has are in no log', async () => {
    const count = async () => (await sql<{ n: number }>`select count(*) as n from audit_log`.execute(app.deps.db)).rows;
    const before = await count();
    assert.equal((await enter('a password typed as a name', 'x')).status, 400);
    assert.deepEqual(await count(), before);
  });

  test('with a token name that token', async () => {
    const { uuid, token } = (await app.call('POST', '/v2/auth/tokens/', { name: 'Desk' })).body;
    await app.call('POST', '/v2/auth/session/', { token }, { token: null });
    const entry = await newest();
    assert.deepEqual([entry.operation, entry.actor], ['createSession', { type: 'TOKEN', uuid, name: 'Desk' }]);
  });
});

describe(`GET ${log}`, () => {
  test('filters by actor, operation and time, in either order', async () => {
    await app.call('PATCH', '/v2/account/', {});
    const patches = await entries('?operation=updateAccount&ordering=created');
    assert.ok(patches.length > 0);
    assert.ok(patches.every((entry: { operation: string }) => entry.operation === 'updateAccount'));
    const uuids = patches.map((entry: { uuid: string }) => entry.uuid);
    assert.deepEqual(uuids, uuids.toSorted());
    const ofAna = await entries(`?actor=${ana.uuid}`);
    assert.ok(ofAna.length > 0 && ofAna.every(({ actor }: { actor: { uuid: string } }) => actor.uuid === ana.uuid));
    assert.deepEqual(await entries('?created_before=2020-01-01T00:00:00Z'), []);
    const bad = await app.call('GET', `${log}?actor=ana`);
    assert.deepEqual([bad.status, Object.keys(bad.body)], [400, ['actor']]);
  });

  test('has nothing of another account, and needs the scope', async () => {
    await app.call('PATCH', '/v2/account/', { name: 'Theirs' }, { token: app.otherToken });
    const theirs = await entries('', app.otherToken);
    assert.deepEqual(
      theirs.map((entry: { operation: string }) => entry.operation),
      ['updateAccount'],
    );
    const uuids = (await entries('?page_size=200')).map((entry: { uuid: string }) => entry.uuid);
    assert.ok(!uuids.includes(theirs[0].uuid));
    assert.equal((await app.call('GET', log, undefined, { token: null })).status, 401);
    const { token } = (await app.call('POST', '/v2/auth/tokens/', { name: 'x', scopes: ['chatapp:read'] })).body;
    assert.equal((await app.call('GET', log, undefined, { token })).status, 403);
  });

  test('comes as a file, too', async () => {
    const { status, body } = await app.call('GET', `${log}?operation=createUser`, undefined, {
      headers: { accept: 'text/csv' },
    });
    assert.equal(status, 200);
    const [head, first] = body.split('\r\n');
    assert.equal(
      head,
      'uuid,created,actor_type,actor_uuid,actor_name,operation,summary,method,path,status,address,request_id,sequence,hash',
    );
    assert.match(first, /,TOKEN,[0-9a-f-]{36},First token,createUser,/);
  });
});

test('what is older than the account and the server keep things is removed, in that account alone', async () => {
  const { db } = app.deps;
  await app.call('PATCH', '/v2/account/', {}, { token: app.otherToken });
  const theirs = (await entries('', app.otherToken)).length;
  await sql`update accounts set retention_days = -1 where uuid = ${app.accountId}`.execute(db);
  const ours = (await entries()).length;
  await purgeAuditLogAnyAccount(app.deps, 1);
  assert.equal((await entries()).length, ours);
  await purgeAuditLogAnyAccount(app.deps, -1);
  assert.deepEqual(await entries(), []);
  assert.equal((await entries('', app.otherToken)).length, theirs);
});
