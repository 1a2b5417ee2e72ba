import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import {
  codeOf,
  enrol,
  forgetCodes,
  makePerson,
  type Person,
  passwordOfAll,
  signInAs,
} from '../../../../test/kit/person.ts';

const factors = '/v2/auth/factors/';
const totp = `${factors}totp/`;

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const signIn = (person: Person, more: object = {}) =>
  signInAs(app, { username: person.username, password: passwordOfAll, ...more });

describe('An authenticator app', () => {
  test('counts from its first code on, and brings ten recovery codes', async () => {
    const ana = await makePerson(app, 'ana');
    const setup = await ana.call('POST', totp);
    assert.equal(setup.status, 201);
    assert.match(setup.body.otpauth_url, /^otpauth:\/\/totp\/.*ana\?.*secret=[A-Z2-7]{32}/);
    assert.equal((await signIn(ana)).status, 200, 'until then the password is enough');
    const wrong = await ana.call('POST', `${totp}confirm/`, { otp: '000000' });
    assert.deepEqual([wrong.status, Object.keys(wrong.body)], [400, ['otp']]);
    const confirmed = await ana.call('POST', `${totp}confirm/`, { otp: codeOf(setup.body.secret) });
    assert.equal(confirmed.status, 200);
    assert.equal(new Set(confirmed.body.recovery_codes).size, 10);
    const { body } = await ana.call('GET', factors);
    assert.deepEqual([typeof body.totp.created, body.recovery_codes_left, body.required], ['string', 10, false]);
  });

  test('its secret and the recovery codes are in no table as they are', async () => {
    const eve = await makePerson(app, 'eve');
    const { secret, codes } = await enrol(eve);
    const rows = JSON.stringify([
      await app.deps.db.selectFrom('second_factors').selectAll().execute(),
      await app.deps.db.selectFrom('recovery_codes').selectAll().execute(),
    ]);
    for (const known of [secret, ...codes]) assert.ok(!rows.includes(known));
  });

  test('ends the sessions that were opened with the password alone', async () => {
    const ben = await makePerson(app, 'ben');
    const { body } = await app.call(
      'POST',
      '/v2/auth/token/',
      { username: 'ben', password: passwordOfAll },
      { token: null },
    );
    await enrol(ben);
    assert.equal((await app.call('GET', '/v2/account/', undefined, { token: body.token })).status, 401);
    assert.equal((await ben.call('GET', '/v2/account/')).status, 200);
  });

  test('belongs to a person: 403 for the token of a program', async () => {
    for (const [method, url] of [
      ['GET', factors],
      ['POST', totp],
      ['DELETE', totp],
    ] as const) {
      const { status, body } = await app.call(method, url);
      assert.deepEqual([status, body.code], [403, 'person_required']);
    }
  });
});

describe('Signing in with a second factor', () => {
  let person: Person;
  let secret: string;
  let codes: string[];
  before(async () => {
    person = await makePerson(app, 'carla');
    ({ secret, codes } = await enrol(person));
  });

  test('403 that names what is missing, for the session and for the token', async () => {
    const session = await signIn(person);
    assert.deepEqual(
      [session.status, session.body.code, session.headers['set-cookie']],
      [403, 'otp_required', undefined],
    );
    const token = await app.call(
      'POST',
      '/v2/auth/token/',
      { username: 'carla', password: passwordOfAll },
      { token: null },
    );
    assert.deepEqual([token.status, token.body.code], [403, 'otp_required']);
  });

  test('a wrong password is told first, and says nothing of the factor', async () => {
    const answer = await signInAs(app, { username: 'carla', password: 'wrong', otp: codeOf(secret) });
    assert.deepEqual(answer.body, { non_field_errors: ['Unable to log in with provided credentials.'] });
  });

  test('a code is accepted once, by the session and by the token', async () => {
    const otp = codeOf(secret, 1);
    assert.equal((await signIn(person, { otp })).status, 200);
    const again = await signIn(person, { otp });
    assert.deepEqual([again.status, Object.keys(again.body)], [400, ['otp']]);
    await forgetCodes(app, person.uuid);
    const body = { username: 'carla', password: passwordOfAll, otp: codeOf(secret) };
    assert.equal((await app.call('POST', '/v2/auth/token/', body, { token: null })).status, 200);
    assert.equal((await app.call('POST', '/v2/auth/token/', body, { token: null })).status, 400);
  });

  test('the code of the moment at which it was set up is used already', async () => {
    const dora = await makePerson(app, 'dora');
    const setup = (await dora.call('POST', totp)).body;
    const otp = codeOf(setup.secret);
    assert.equal((await dora.call('POST', `${totp}confirm/`, { otp })).status, 200);
    assert.equal((await signIn(dora, { otp })).status, 400);
  });

  test('of many who bring one code at once, one gets in', async () => {
    await forgetCodes(app, person.uuid);
    const otp = codeOf(secret);
    const statuses = await Promise.all(
      Array.from({ length: 4 }, () => signIn(person, { otp }).then(({ status }) => status)),
    );
    assert.equal(statuses.filter((status) => status === 200).length, 1, statuses.join());
  });

  test('a recovery code is accepted once, however it is typed', async () => {
    await forgetCodes(app, person.uuid);
    const typed = codes[0]!.toUpperCase().replaceAll('-', ' ');
    assert.equal((await signIn(person, { recovery_code: typed })).status, 200);
    const again = await signIn(person, { recovery_code: codes[0] });
    assert.deepEqual([again.status, Object.keys(again.body)], [400, ['recovery_code']]);
    assert.equal((await person.call('GET', factors)).body.recovery_codes_left, 9);
  });

  test("another user's recovery code is none", async () => {
    const other = await makePerson(app, 'frida');
    const theirs = await enrol(other);
    assert.equal((await signIn(person, { recovery_code: theirs.codes[0] })).status, 400);
  });

  test('new recovery codes end those from before', async () => {
    const renewed = await person.call('POST', `${factors}recovery-codes/`);
    assert.equal(renewed.body.recovery_codes.length, 10);
    await forgetCodes(app, person.uuid);
    assert.equal((await signIn(person, { recovery_code: codes[1] })).status, 400);
    assert.equal((await signIn(person, { recovery_code: renewed.body.recovery_codes[1] })).status, 200);
  });
});

describe('Guessing codes', () => {
  test('slows down, from wherever, and a right password in between does not help', async () => {
    const gina = await makePerson(app, 'gina');
    const { secret } = await enrol(gina);
    const from = (place: number) => ({ 'x-forwarded-for': `198.51.100.${place}` });
    const statuses: number[] = [];
    for (let tries = 0; tries < 10; tries++) {
      await app.deps.db.deleteFrom('login_failures').execute();
      const guess = { username: 'gina', password: passwordOfAll, otp: '000000' };
      statuses.push((await signInAs(app, guess, from(tries))).status);
      await signIn(gina);
    }
    assert.deepEqual(statuses.slice(0, 5), [400, 400, 400, 400, 400]);
    assert.ok(statuses.includes(429), statuses.join());
    const right = await signIn(gina, { otp: codeOf(secret, 1) });
    assert.equal(right.status, 429, 'nor is a right one looked at while it has to wait');
    await forgetCodes(app, gina.uuid);
    assert.equal((await signIn(gina, { otp: codeOf(secret, 1) })).status, 200);
  });

  test('a missing code neither counts as a failure nor forgives any', async () => {
    const hana = await makePerson(app, 'hana');
    await enrol(hana);
    const failures = async () =>
      (
        await app.deps.db
          .selectFrom('login_failures')
          .select('failures')
          .where('username', '=', 'hana')
          .where('network', '!=', '')
          .executeTakeFirst()
      )?.failures;
    await signInAs(app, { username: 'hana', password: 'wrong' });
    const before = await failures();
    for (let tries = 0; tries < 3; tries++) assert.equal((await signIn(hana)).status, 403);
    assert.equal(await failures(), before);
  });
});

describe('Removing factors', () => {
  test('gives the password alone its force back, and takes the recovery codes along', async () => {
    const ida = await makePerson(app, 'ida');
    await enrol(ida);
    assert.equal((await ida.call('DELETE', totp)).status, 204);
    assert.equal((await ida.call('DELETE', totp)).status, 404);
    assert.equal((await ida.call('GET', factors)).body.recovery_codes_left, 0);
    assert.equal((await signIn(ida)).status, 200);
  });

  test('an administrator removes those of somebody who lost them, and ends their sessions', async () => {
    const jo = await makePerson(app, 'jo');
    await enrol(jo);
    const reset = `/v2/users/${jo.uuid}/factors/`;
    assert.equal((await app.call('DELETE', reset, undefined, { token: app.otherToken })).status, 404);
    const reader = (await app.call('POST', '/v2/auth/tokens/', { name: 'Small', scopes: ['account:write'] })).body
      .token;
    assert.equal((await app.call('DELETE', reset, undefined, { token: reader })).status, 403);
    assert.equal((await app.call('DELETE', reset)).status, 204);
    assert.equal((await jo.call('GET', '/v2/account/')).status, 401);
    assert.equal((await signIn(jo)).status, 200);
  });
});

describe('An account that requires a second factor', () => {
  test('leads whoever has none to set one up, and lets them do nothing else', async () => {
    const own = await startTestApp({ ROLES: 'api' });
    try {
      const kai = await makePerson(own, 'kai');
      assert.equal((await own.call('PATCH', '/v2/account/security/', { require_second_factor: true })).status, 200);
      const refused = await kai.call('GET', '/v2/account/');
      assert.deepEqual([refused.status, refused.body.code], [403, 'second_factor_setup_required']);
      assert.equal((await kai.call('POST', '/v2/auth/tokens/', { name: 'Way out' })).status, 403);
      assert.equal((await kai.call('GET', '/v2/auth/session/')).body.second_factor_setup_required, true);
      const issued = await own.call(
        'POST',
        '/v2/auth/token/',
        { username: 'kai', password: passwordOfAll },
        { token: null },
      );
      const withToken = await own.call('GET', '/v2/account/', undefined, { token: issued.body.token });
      assert.deepEqual([withToken.status, withToken.body.code], [403, 'second_factor_setup_required']);
      assert.equal((await own.call('GET', '/v2/account/')).status, 200, 'programs go on');

      await enrol(kai);
      assert.equal((await kai.call('GET', '/v2/account/')).status, 200);
      assert.equal((await kai.call('GET', '/v2/auth/session/')).body.second_factor_setup_required, false);
      const last = await kai.call('DELETE', totp);
      assert.deepEqual([last.status, last.body.code], [409, 'second_factor_kept']);
    } finally {
      await own.close();
    }
  });
});
