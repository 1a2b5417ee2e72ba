import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import {
  callWith,
  codeOf,
  cookieOf,
  enrol,
  forgetCodes,
  fromConsole,
  makePerson,
  makeStale,
  type Person,
  passwordOfAll,
  signInAs,
} from '../../../../test/kit/person.ts';

const confirm = '/v2/auth/session/confirm/';
const tokens = '/v2/auth/tokens/';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const makeToken = (person: Pick<Person, 'call'>) => person.call('POST', tokens, { name: 'CRM' });

describe('Ten minutes after signing in', () => {
  test('a session is asked to confirm before what is sensitive, and for nothing else', async () => {
    const ana = await makePerson(app, 'ana');
    assert.equal((await makeToken(ana)).status, 201);
    await makeStale(app, ana);
    const refused = await makeToken(ana);
    assert.deepEqual([refused.status, refused.body.code], [403, 'reauthentication_required']);
    assert.equal((await ana.call('GET', tokens)).status, 200);
    const wrong = await ana.call('POST', confirm, { password: 'wrong' });
    assert.deepEqual([wrong.status, Object.keys(wrong.body)], [400, ['password']]);
    assert.equal((await makeToken(ana)).status, 403);
    assert.equal((await ana.call('POST', confirm, { password: passwordOfAll })).status, 204);
    assert.equal((await makeToken(ana)).status, 201);
  });

  test('whoever has a second factor gives that: the password does not do', async () => {
    const ben = await makePerson(app, 'ben');
    const { secret, codes } = await enrol(ben);
    await makeStale(app, ben);
    const refused = await ben.call('POST', confirm, { password: passwordOfAll });
    assert.deepEqual([refused.status, refused.body.code], [403, 'otp_required']);
    assert.equal((await ben.call('DELETE', '/v2/auth/factors/totp/')).body.code, 'reauthentication_required');
    await forgetCodes(app, ben.uuid);
    assert.equal((await ben.call('POST', confirm, { otp: codeOf(secret) })).status, 204);
    assert.equal((await makeToken(ben)).status, 201);
    await makeStale(app, ben);
    assert.equal((await ben.call('POST', confirm, { recovery_code: codes[0] })).status, 204);
    assert.equal((await ben.call('DELETE', '/v2/auth/factors/totp/')).status, 204);
  });

  test('a session that was opened with a token is confirmed with it', async () => {
    const given = (await app.call('POST', tokens, { name: 'Shared' })).body.token;
    const cookie = cookieOf(await signInAs(app, { token: given }));
    const session = { cookie, call: callWith(app, cookie) } as Person;
    await makeStale(app, session);
    assert.equal((await makeToken(session)).status, 403);
    assert.equal((await session.call('POST', confirm, { token: app.token })).status, 400);
    assert.equal((await session.call('POST', confirm, { token: given })).status, 204);
    assert.equal((await makeToken(session)).status, 201);
  });

  test('tokens of programs are not asked', async () => {
    await app.deps.db
      .updateTable('tokens')
      .set({ created: '2020-01-01T00:00:00Z' })
      .where('kind', '=', 'API')
      .execute();
    app.deps.caches.forget('tokens');
    assert.equal((await app.call('POST', tokens, { name: 'CRM' })).status, 201);
  });
});

describe('Guessing at a confirmation', () => {
  test('slows down, also when every guess has an Idempotency-Key of its own', async () => {
    const eve = await makePerson(app, 'eve');
    const statuses: number[] = [];
    for (let tries = 0; tries < 8; tries++) {
      const headers = { cookie: eve.cookie, ...fromConsole, 'idempotency-key': `guess ${tries}` };
      statuses.push((await app.call('POST', confirm, { password: 'wrong' }, { token: null, headers })).status);
    }
    assert.deepEqual(statuses.slice(0, 5), [400, 400, 400, 400, 400]);
    assert.ok(statuses.includes(429), statuses.join());
  });
});
