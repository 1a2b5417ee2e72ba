import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { startTestApp, type TestAnswer, type TestApp } from '../../../../test/kit/app.ts';
import { callWith, fromConsole, makePerson, signInAs } from '../../../../test/kit/person.ts';
import { follow, startIdentityProvider, type TestProvider } from '../../../../test/kit/sign-in/identity-provider.ts';

const providers = '/v2/identity-providers/';
const start = '/v2/auth/sso/start/';
const server = 'http://localhost';
const callback = `${server}/v2/auth/sso/callback/`;

let app: TestApp;
let idp: TestProvider;
let uuid: string;
before(async () => {
  app = await startTestApp({ ROLES: 'api', SSO_ALLOW: '127.0.0.1', PUBLIC_URL: server });
  idp = await startIdentityProvider({ redirectUris: [callback], logoutUris: [`${server}/console/`] });
  uuid = await makeProvider();
});
after(async () => {
  await app.close();
  await idp.close();
});
beforeEach(() => {
  idp.instead = undefined;
});

async function makeProvider(more: object = {}, token?: string): Promise<string> {
  const settings = {
    name: 'Example Corp',
    issuer: idp.issuer,
    ...idp.client,
    scopes: 'openid email profile groups',
    default_role: 'agent',
    ...more,
  };
  const made = await app.call('POST', providers, settings, token ? { token } : {});
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body.uuid;
}
const change = async (body: object, which = uuid): Promise<void> => {
  const changed = await app.call('PATCH', `${providers}${which}/`, body);
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
};
const lastError = async (which = uuid): Promise<string> =>
  (await app.call('GET', `${providers}${which}/`)).body.last_error;

const begin = (provider: string, more: object = {}): Promise<TestAnswer> =>
  app.call('POST', start, { provider, ...more }, { token: null, headers: fromConsole });

const cookiesOf = ({ headers }: TestAnswer): string[] =>
  [headers['set-cookie'] ?? []].flat().map((text) => String(text).split(';')[0]!);

/** The address at which the provider hands the browser back, and the cookie that the browser has. */
async function atProvider(provider = uuid, more: object = {}): Promise<{ back: URL; cookie: string }> {
  const begun = await begin(provider, more);
  assert.equal(begun.status, 200, JSON.stringify(begun.body));
  const back = await follow(begun.body.authorization_url, callback);
  return { back, cookie: cookiesOf(begun)[0]! };
}
const comeBack = (back: URL, cookie: string): Promise<TestAnswer> =>
  app.call('GET', back.pathname + back.search, undefined, { token: null, headers: { cookie } });

async function signIn(provider = uuid, more: object = {}) {
  const { back, cookie } = await atProvider(provider, more);
  const answer = await comeBack(back, cookie);
  assert.equal(answer.status, 302, JSON.stringify(answer.body));
  const session = cookiesOf(answer).find((one) => one.startsWith('parley_session='));
  return { to: String(answer.headers['location']), session, call: session ? callWith(app, session) : undefined };
}
const whoAmI = async (signed: Awaited<ReturnType<typeof signIn>>) =>
  (await signed.call!('GET', '/v2/auth/session/')).body;
const errorOf = ({ to }: { to: string }): string | null => new URL(to).searchParams.get('sso_error');

describe('Signing in by a provider', () => {
  test('makes a user with a verified address, once, and leads to the page that was asked for', async () => {
    idp.person = { sub: 'ana-1', email: 'Ana@Example.com', email_verified: true, name: 'Ana Alves' };
    const first = await signIn(uuid, { return_to: '/messages?status=FAILED' });
    assert.equal(first.to, `${server}/console/messages?status=FAILED`);
    const session = await whoAmI(first);
    assert.equal(session.user.username, 'ana@example.com');
    assert.equal(session.user.role, 'agent');
    assert.deepEqual(session.identity_provider, { uuid, name: 'Example Corp' });
    assert.equal((await first.call!('GET', '/v2/auth/factors/')).body.password, false);
    const again = await signIn();
    assert.equal((await whoAmI(again)).user.uuid, session.user.uuid);
  });

  test('goes by the subject: once it is known, another address changes nothing', async () => {
    idp.person = { sub: 'bea', email: 'bea@example.com', email_verified: true };
    const { user } = await whoAmI(await signIn());
    idp.person = { sub: 'bea', email: 'beatrice@example.com', email_verified: false };
    assert.equal((await whoAmI(await signIn())).user.uuid, user.uuid);
  });

  test('links a user of the account whose name is the verified address, who keeps the password and the role', async () => {
    const cleo = await makePerson(app, 'cleo@example.com');
    idp.person = { sub: 'cleo', email: 'cleo@example.com', email_verified: true };
    const session = await whoAmI(await signIn());
    assert.equal(session.user.uuid, cleo.uuid);
    assert.deepEqual(session.scopes, ['read', 'write']);
    const { status } = await signInAs(app, { username: cleo.username, password: cleo.password });
    assert.equal(status, 200);
  });

  test('links nobody by an address that the provider did not verify, and makes nobody', async () => {
    await makePerson(app, 'dora@example.com');
    for (const person of [
      { sub: 'eve', email: 'dora@example.com', email_verified: false },
      { sub: 'eve', email: 'dora@example.com' },
    ]) {
      idp.person = person;
      const signed = await signIn();
      assert.deepEqual([errorOf(signed), signed.session], ['email_unverified', undefined]);
    }
    assert.match(await lastError(), /dora@example.com is verified/);
    idp.person = { sub: 'nameless' };
    assert.equal(errorOf(await signIn()), 'email_missing');
  });

  test('never lets in a user of another account, whatever the address', async () => {
    const { body } = await app.call(
      'POST',
      '/v2/users/',
      { username: 'fay@other.example', password: 'open sesame please' },
      { token: app.otherToken },
    );
    idp.person = { sub: 'fay', email: 'fay@other.example', email_verified: true };
    assert.equal(errorOf(await signIn()), 'name_taken');
    const stranger = await makeProvider({ name: 'Of the other' }, app.otherToken);
    const session = await whoAmI(await signIn(stranger));
    assert.equal(session.user.uuid, body.uuid);
    assert.notEqual(session.account.uuid, app.accountId);
  });

  test('admits only addresses of the domains, if there are any', async () => {
    await change({ domains: ['example.com'] });
    idp.person = { sub: 'gil', email: 'gil@evil.example', email_verified: true };
    assert.equal(errorOf(await signIn()), 'domain_refused');
    await change({ domains: [] });
  });

  test('refuses strangers where users are not to be created', async () => {
    await change({ create_users: false });
    idp.person = { sub: 'hal', email: 'hal@example.com', email_verified: true };
    assert.equal(errorOf(await signIn()), 'no_user');
    await change({ create_users: true });
  });

  test('is in the audit log: the sign-in, the user that was made, and what failed', async () => {
    const { results } = (await app.call('GET', '/v2/audit-log/?page_size=200')).body;
    const seen = new Set(results.map((one: { operation: string; status: number }) => `${one.operation} ${one.status}`));
    for (const entry of ['finishSso 200', 'finishSso 403', 'createUser 201', 'linkIdentity 201']) {
      assert.ok(seen.has(entry), entry);
    }
  });
});

describe('Groups', () => {
  test('give the role, at the first sign-in and at each that follows; the first that fits counts', async () => {
    await change({
      group_roles: [
        { group: 'bosses', role: 'admin' },
        { group: 'desk', role: 'supervisor' },
      ],
      default_role: null,
    });
    idp.person = { sub: 'ivy', email: 'ivy@example.com', email_verified: true, groups: ['desk', 'bosses'] };
    const first = await signIn();
    assert.equal((await whoAmI(first)).user.role, 'admin');
    idp.person = { ...idp.person, groups: ['desk'] };
    const second = await signIn();
    assert.equal((await whoAmI(second)).user.role, 'supervisor');
    // What the old role opened is over.
    assert.equal((await first.call!('GET', '/v2/auth/session/')).status, 401);
    idp.person = { ...idp.person, groups: ['elsewhere'] };
    assert.equal(errorOf(await signIn()), 'no_role');
    await change({ default_role: 'analyst' });
    assert.equal((await whoAmI(await signIn())).user.role, 'analyst');
    await change({ group_roles: [], default_role: 'agent' });
  });

  test('that the provider keeps up to date by SCIM count as those in the claim do, at the first sign-in, too', async () => {
    await change({ group_roles: [{ group: 'Desk of SCIM', role: 'supervisor' }], default_role: null });
    const made = await app.call('POST', '/v2/auth/tokens/', { name: 'SCIM', scopes: ['scim:write'] });
    const as = { token: made.body.token as string };
    const { id } = (await app.call('POST', '/scim/v2/Users', { userName: 'rae@example.com' }, as)).body;
    await app.call('POST', '/scim/v2/Groups', { displayName: 'Desk of SCIM', members: [{ value: id }] }, as);
    idp.person = { sub: 'rae', email: 'rae@example.com', email_verified: true };
    const { user } = await whoAmI(await signIn());
    assert.deepEqual([user.uuid, user.role], [id, 'supervisor']);
    await app.call('PATCH', `/scim/v2/Users/${id}`, { Operations: [{ op: 'replace', value: { active: false } }] }, as);
    assert.equal(errorOf(await signIn()), 'refused');
    await change({ group_roles: [], default_role: 'agent' });
  });

  test('that give a user more than whoever made them could take the password away at the first sign-in', async () => {
    await change({ group_roles: [{ group: 'bosses', role: 'admin' }] });
    const password = 'open sesame please';
    const trap = { username: 'sam@example.com', password, role: 'agent' };
    const { uuid: sam } = (await app.call('POST', '/v2/users/', trap)).body;
    idp.person = { sub: 'sam', email: 'sam@example.com', email_verified: true, groups: ['bosses'] };
    const { user } = await whoAmI(await signIn());
    assert.deepEqual([user.uuid, user.role], [sam, 'admin']);
    assert.equal((await signInAs(app, { username: 'sam@example.com', password })).status, 400);
    await change({ group_roles: [] });
  });

  test('do not take the last owner away', async () => {
    const other = app.otherToken;
    const which = await makeProvider({ group_roles: [{ group: 'desk', role: 'agent' }] }, other);
    const owner = { username: 'jo@example.com', password: 'open sesame please', role: 'owner' };
    // Everybody else there is no owner.
    for (const { uuid: each } of (await app.call('GET', '/v2/users/', undefined, { token: other })).body.results)
      await app.deps.db
        .updateTable('users')
        .set({ scopes: ['read'], role: null })
        .where('uuid', '=', each)
        .execute();
    assert.equal((await app.call('POST', '/v2/users/', owner, { token: other })).status, 201);
    idp.person = { sub: 'jo', email: 'jo@example.com', email_verified: true, groups: ['desk'] };
    assert.equal((await whoAmI(await signIn(which))).user.role, 'owner');
  });
});

describe('Second factors', () => {
  test('the word of the provider counts; without it the account’s own is asked for', async () => {
    await app.call('PATCH', '/v2/account/security/', { require_second_factor: true });
    try {
      idp.person = { sub: 'kim', email: 'kim@example.com', email_verified: true };
      assert.equal((await whoAmI(await signIn())).second_factor_setup_required, true);
      idp.person = { ...idp.person, amr: ['pwd', 'mfa'] };
      assert.equal((await whoAmI(await signIn())).second_factor_setup_required, false);
      idp.person = { ...idp.person, amr: ['pwd'] };
      assert.equal((await whoAmI(await signIn())).second_factor_setup_required, true);
      await change({ trust_second_factor: true });
      assert.equal((await whoAmI(await signIn())).second_factor_setup_required, false);
    } finally {
      await change({ trust_second_factor: false });
      await app.call('PATCH', '/v2/account/security/', { require_second_factor: false });
    }
  });
});

describe('Signing out', () => {
  test('ends the session, and leads to the end of that at the provider', async () => {
    idp.person = { sub: 'lou', email: 'lou@example.com', email_verified: true };
    const signed = await signIn();
    const { status, body } = await signed.call!('POST', '/v2/auth/sso/sign-out/');
    assert.equal(status, 200);
    const url = new URL(body.logout_url);
    assert.equal(url.origin, idp.issuer);
    assert.equal(url.searchParams.get('post_logout_redirect_uri'), `${server}/console/`);
    assert.ok(url.searchParams.get('id_token_hint'));
    assert.equal((await fetch(url)).status, 200);
    assert.equal((await signed.call!('GET', '/v2/auth/session/')).status, 401);
  });

  test('of a session with a password leads nowhere else', async () => {
    const mia = await makePerson(app, 'mia');
    assert.deepEqual((await mia.call('POST', '/v2/auth/sso/sign-out/')).body, { logout_url: null });
    assert.equal((await mia.call('GET', '/v2/auth/session/')).status, 401);
  });
});

describe('A provider that is disabled or deleted', () => {
  test('lets nobody in, and ends the sessions that it opened', async () => {
    const which = await makeProvider();
    idp.person = { sub: 'ned', email: 'ned@example.com', email_verified: true };
    const signed = await signIn(which);
    const { back, cookie } = await atProvider(which);
    await change({ enabled: false }, which);
    assert.equal((await signed.call!('GET', '/v2/auth/session/')).status, 401);
    assert.equal(errorOf({ to: String((await comeBack(back, cookie)).headers['location']) }), 'provider_disabled');
    assert.equal((await begin(which)).status, 404);
    await change({ enabled: true }, which);
    const again = await signIn(which);
    assert.equal((await app.call('DELETE', `${providers}${which}/`)).status, 204);
    assert.equal((await again.call!('GET', '/v2/auth/session/')).status, 401);
  });
});

describe('An account that requires single sign-on', () => {
  test('lets owners in with a password, and nobody else; its last provider stays', async () => {
    const token = app.otherToken;
    const security = (sso_required: boolean) => app.call('PATCH', '/v2/account/security/', { sso_required }, { token });
    for (const { uuid: each } of (await app.call('GET', providers, undefined, { token })).body.results)
      assert.equal((await app.call('DELETE', `${providers}${each}/`, undefined, { token })).status, 204);
    assert.deepEqual((await security(true)).body, {
      sso_required: ['Add an identity provider that is enabled first.'],
    });
    const which = await makeProvider({}, token);
    const password = 'open sesame please';
    for (const [username, role] of [
      ['olga', 'owner'],
      ['pia', 'admin'],
    ]) {
      assert.equal((await app.call('POST', '/v2/users/', { username, password, role }, { token })).status, 201);
    }
    const before = await signInAs(app, { username: 'pia', password });
    assert.equal((await security(true)).status, 200);
    const session = callWith(app, cookiesOf(before)[0]!);
    assert.equal((await session('GET', '/v2/auth/session/')).status, 401);
    const refused = await signInAs(app, { username: 'pia', password });
    assert.deepEqual([refused.status, refused.body.code], [403, 'sso_required']);
    const asToken = await app.call('POST', '/v2/auth/token/', { username: 'pia', password }, { token: null });
    assert.equal(asToken.body.code, 'sso_required');
    assert.equal((await signInAs(app, { username: 'olga', password })).status, 200);
    const kept = await app.call('DELETE', `${providers}${which}/`, undefined, { token });
    assert.deepEqual([kept.status, kept.body.code], [409, 'last_identity_provider']);
    idp.person = { sub: 'quin', email: 'quin@example.com', email_verified: true };
    assert.ok((await signIn(which)).session);
    assert.equal((await security(false)).status, 200);
  });
});
