import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { tokenHash } from '../../src/platform/secrets.ts';
import type { TestApp } from '../kit/app.ts';
import { rowWatch } from '../sweep/rows.ts';
import { assertDetail, startSurface } from '../sweep/surface.ts';

const signIn = '/v2/auth/token/';
const tokens = '/v2/auth/tokens/';
const refusal = { non_field_errors: ['Unable to log in with provided credentials.'] };

let app: TestApp;
before(async () => {
  app = await startSurface();
  const password_hash = await app.deps.passwords.hash('correct horse');
  await app.deps.db.updateTable('users').set({ password_hash }).execute();
});
after(() => app.close());

const enter = (username: string, password: string) => app.call('POST', signIn, { username, password }, { token: null });
const makeToken = async (request: object): Promise<{ uuid: string; token: string }> => {
  const { status, body } = await app.call('POST', tokens, { name: 'Test', ...request });
  assert.equal(status, 201);
  return body;
};
const statusWith = async (token: string): Promise<number> =>
  (await app.call('GET', '/v2/account/', undefined, { token })).status;

describe(`POST ${signIn}`, () => {
  it('gives a token that works, for the name in any case', async () => {
    const { status, body } = await enter('ADMIN', 'correct horse');
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['token', 'expires']);
    assert.ok(Date.parse(body.expires) > Date.now());
    assert.equal(await statusWith(body.token), 200);
  });

  it('400 with the same sentence for a wrong password and for an unknown name', async () => {
    const [wrong, unknown] = await Promise.all([enter('admin', 'wrong'), enter('nobody', 'correct horse')]);
    assert.deepEqual([wrong.status, wrong.body], [400, refusal]);
    assert.deepEqual([unknown.status, unknown.body], [400, refusal]);
  });

  it('429 after repeated failures, whether or not the name exists, and other names are free', async () => {
    for (const name of ['admin', 'ghost']) {
      let answer = await enter(name, 'wrong');
      for (let tries = 0; answer.status === 400 && tries < 10; tries++) answer = await enter(name, 'wrong');
      assertDetail(answer, 429, 'throttled');
      assert.ok(Number(answer.headers['retry-after']) >= 1);
    }
    // Both are blocked for a moment only, and hashing takes a while.
    await sql`update login_failures set blocked_until = now() + interval '1 minute'`.execute(app.deps.db);
    assertDetail(await enter('admin', 'correct horse'), 429, 'throttled');
    assert.equal((await enter('somebody else', 'wrong')).status, 400);
    await sql`update login_failures set blocked_until = now() - interval '1 second'`.execute(app.deps.db);
    assert.equal((await enter('admin', 'correct horse')).status, 200);
  });
});

describe(tokens, () => {
  it('the secret is shown once and stored nowhere', async () => {
    const { uuid, token } = await makeToken({});
    const { body } = await app.call('GET', `${tokens}?page_size=200`);
    const listed = body.results.find((one: { uuid: string }) => one.uuid === uuid);
    const fields = [
      'allowed_networks',
      'created',
      'created_by',
      'expires',
      'kind',
      'last_used',
      'last_used_address',
      'name',
      'purpose',
      'resources',
      'scopes',
      'uuid',
    ];
    assert.deepEqual(Object.keys(listed).sort(), fields);
    const row = await app.deps.db.selectFrom('tokens').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow();
    assert.equal(row.hash, tokenHash(token));
    assert.ok(!JSON.stringify(row).includes(token));
  });

  it('a token does what its scopes say and no more', async () => {
    const { token } = await makeToken({ scopes: ['chatapp:read'] });
    assert.equal((await app.call('GET', '/v2/chatapp/messages/', undefined, { token })).status, 200);
    assertDetail(await app.call('POST', '/v2/chatapp/messages/', {}, { token }), 403, 'permission_denied');
    assertDetail(await app.call('GET', '/v2/account/', undefined, { token }), 403, 'permission_denied');
    const all = await makeToken({ scopes: ['read'] });
    assert.equal(await statusWith(all.token), 200);
    assert.equal((await app.call('PATCH', '/v2/account/', {}, { token: all.token })).status, 403);
  });

  it('a token cannot make one that may do more than itself', async () => {
    const { token } = await makeToken({ scopes: ['account:write', 'chatapp:read'] });
    const ask = (scopes: string[]) => app.call('POST', tokens, { name: 'More', scopes }, { token });
    for (const beyond of [['write'], ['operator'], ['chatapp:write'], ['chatapp:read', 'read']]) {
      const { status, body } = await ask(beyond);
      assert.deepEqual([status, Object.keys(body)], [400, ['scopes']], beyond.join());
    }
    assert.equal((await ask(['chatapp:read'])).status, 201);
  });

  it('a revoked token is refused at once', async () => {
    for (let round = 0; round < 10; round++) {
      const { uuid, token } = await makeToken({});
      assert.equal(await statusWith(token), 200);
      assert.equal((await app.call('DELETE', `${tokens}${uuid}/`)).status, 204);
      assert.equal(await statusWith(token), 401);
    }
  });

  it('an expired token is refused, and one that has expired already is not made', async () => {
    const { uuid, token } = await makeToken({ expires: new Date(Date.now() + 3_600_000).toISOString() });
    await app.deps.db
      .updateTable('tokens')
      .set({ expires: sql<string>`now() - interval '1 second'` })
      .where('uuid', '=', uuid)
      .execute();
    assert.equal(await statusWith(token), 401);
    const past = await app.call('POST', tokens, { name: 'Past', expires: '2020-01-01T00:00:00Z' });
    assert.deepEqual([past.status, Object.keys(past.body)], [400, ['expires']]);
  });
});

describe('PATCH /v2/account/', () => {
  const wrong = {
    name: ['', ' ', 'x'.repeat(201), null, true],
    default_country: ['gb', 'GBR', ''],
    time_zone: ['Mars/Olympus', '', '+25:00'],
    language_code: ['english please', ''],
    quiet_hours: [{ start: '24:00', end: '08:00' }, { start: '21:00' }, 'night', []],
    retention_days: [0, 3651, 1.5, 'thirty'],
    limits: [{ requests_per_minute: 0 }, { requests_per_minute: 'many' }, null],
  };
  for (const [field, values] of Object.entries(wrong)) {
    it(`400 that names ${field}, and nothing is written`, async () => {
      const look = await rowWatch(app.deps.db);
      const before = await look();
      for (const value of values) {
        const { status, body } = await app.call('PATCH', '/v2/account/', { name: 'Good', [field]: value });
        assert.deepEqual([status, Object.keys(body)], [400, [field]], JSON.stringify(value));
      }
      assert.deepEqual(await look(), before);
    });
  }

  it('changes what it names and leaves the rest', async () => {
    const before = (await app.call('GET', '/v2/account/')).body;
    const patch = { name: 'The Shop', quiet_hours: { start: '21:00', end: '08:00' } };
    const { status, body } = await app.call('PATCH', '/v2/account/', patch);
    assert.equal(status, 200);
    assert.deepEqual(body, { ...before, ...patch, modified: body.modified });
    assert.equal((await app.call('PATCH', '/v2/account/', { quiet_hours: null })).body.quiet_hours, null);
  });

  it('403 for limits without the scope of the operator', async () => {
    const { token } = await makeToken({ scopes: ['read', 'write'] });
    const answer = await app.call('PATCH', '/v2/account/', { limits: { requests_per_minute: 10 } }, { token });
    assertDetail(answer, 403, 'permission_denied');
  });
});
