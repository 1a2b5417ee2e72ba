import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { callWith, cookieOf, makePerson, type Person, passwordOfAll, signInAs } from '../../../../test/kit/person.ts';
import { type Authenticator, type Changes, makeAuthenticator } from '../../../../test/kit/sign-in/authenticator.ts';
import { purgeChallengesAnyAccount } from './challenges.ts';

const passkeys = '/v2/auth/factors/passkeys/';
const origin = 'https://parley.example';

let app: TestApp;
let ana: Person;
let key: Authenticator;
before(async () => {
  app = await startTestApp({ ROLES: 'api', PUBLIC_URL: origin });
  ana = await makePerson(app, 'ana');
  key = makeAuthenticator(origin);
});
after(() => app.close());

const add = async (person: Person, authenticator: Authenticator, changes?: Changes) => {
  const { body: options } = await person.call('POST', `${passkeys}options/`);
  return person.call('POST', passkeys, { name: 'Laptop', credential: authenticator.create(options, changes) });
};
const offer = async () => (await app.call('POST', '/v2/auth/passkey-options/', undefined, { token: null })).body;
const enter = async (authenticator: Authenticator, changes?: Changes) =>
  signInAs(app, { passkey: authenticator.get(await offer(), changes) });

describe('A passkey', () => {
  test('is added, with recovery codes if it is the first factor', async () => {
    const added = await add(ana, key);
    assert.equal(added.status, 201, JSON.stringify(added.body));
    assert.equal(added.body.recovery_codes.length, 10);
    const { body } = await ana.call('GET', '/v2/auth/factors/');
    assert.deepEqual(
      body.passkeys.map(({ name }: { name: string }) => name),
      ['Laptop'],
    );
  });

  test('signs in without a name, and satisfies the second factor', async () => {
    const entered = await enter(key);
    assert.equal(entered.status, 200, JSON.stringify(entered.body));
    assert.equal(entered.body.user.username, 'ana');
    await app.call('PATCH', '/v2/account/security/', { require_second_factor: true });
    const call = callWith(app, cookieOf(await enter(key)));
    assert.equal((await call('GET', '/v2/account/')).status, 200);
    await app.call('PATCH', '/v2/account/security/', { require_second_factor: false });
  });

  test('a password alone does not do any more', async () => {
    const { status, body } = await signInAs(app, { username: 'ana', password: passwordOfAll });
    assert.deepEqual([status, body.code], [403, 'passkey_required']);
  });

  test('is renamed and removed by its owner alone', async () => {
    const other = await makePerson(app, 'ben');
    const [{ uuid }] = (await ana.call('GET', '/v2/auth/factors/')).body.passkeys;
    assert.equal((await other.call('PATCH', `${passkeys}${uuid}/`, { name: 'Mine' })).status, 404);
    assert.equal((await other.call('DELETE', `${passkeys}${uuid}/`)).status, 404);
    assert.equal((await ana.call('PATCH', `${passkeys}${uuid}/`, { name: 'Work laptop' })).body.name, 'Work laptop');
    const second = makeAuthenticator(origin);
    const { body } = await add(ana, second);
    assert.equal(body.recovery_codes, null, 'there are some');
    assert.equal((await ana.call('DELETE', `${passkeys}${body.uuid}/`)).status, 204);
    assert.equal((await enter(second)).status, 400);
    assert.equal((await enter(key)).status, 200);
  });
});

describe('A passkey is refused', () => {
  test('when the answer is sent twice', async () => {
    const passkey = key.get(await offer());
    assert.equal((await signInAs(app, { passkey })).status, 200);
    const again = await signInAs(app, { passkey });
    assert.deepEqual([again.status, Object.keys(again.body)], [400, ['passkey']]);
  });

  test('for a challenge that we did not make, or one that is too old', async () => {
    const invented = key.get({ challenge: Buffer.from('invented').toString('base64url'), rpId: 'parley.example' });
    assert.equal((await signInAs(app, { passkey: invented })).status, 400);
    const passkey = key.get(await offer());
    const past = new Date(Date.now() - 1000).toISOString();
    await app.deps.db.updateTable('sign_in_challenges').set({ expires: past }).execute();
    assert.equal((await signInAs(app, { passkey })).status, 400);
  });

  test('from another origin, without verification of the user, and with a counter that went back', async () => {
    assert.equal((await enter(key, { origin: 'https://evil.example' })).status, 400);
    assert.equal((await enter(key, { isVerified: false })).status, 400);
    assert.equal((await enter(key, { counter: 1 })).status, 400);
  });

  test('with a challenge that was meant for making one, and the other way round', async () => {
    const { body: options } = await ana.call('POST', `${passkeys}options/`);
    const passkey = key.get({ challenge: options.challenge, rpId: options.rp.id });
    assert.equal((await signInAs(app, { passkey })).status, 400);
    const { challenge } = await offer();
    const credential = makeAuthenticator(origin).create({ challenge, rp: { id: 'parley.example' } });
    assert.equal((await ana.call('POST', passkeys, { name: 'Stolen', credential })).status, 400);
  });

  test("when it was made with somebody else's offer", async () => {
    const eve = await makePerson(app, 'eve');
    const { body: options } = await ana.call('POST', `${passkeys}options/`);
    const credential = makeAuthenticator(origin).create(options);
    assert.equal((await eve.call('POST', passkeys, { name: 'Taken', credential })).status, 400);
  });

  test('where the server is reached by an address, which passkeys cannot be for', async () => {
    const own = await startTestApp({ ROLES: 'api' });
    try {
      const headers = { host: '127.0.0.1:8080' };
      const { status, body } = await own.call('POST', '/v2/auth/passkey-options/', undefined, { token: null, headers });
      assert.equal(status, 400);
      assert.match(body.non_field_errors[0], /host name/);
    } finally {
      await own.close();
    }
  });
});

test('Challenges that nobody came back with are removed', async () => {
  await offer();
  const past = new Date(Date.now() - 1000).toISOString();
  await app.deps.db.updateTable('sign_in_challenges').set({ expires: past }).execute();
  await purgeChallengesAnyAccount(app.deps.db);
  assert.deepEqual(await app.deps.db.selectFrom('sign_in_challenges').select('kind').execute(), []);
});
