import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { makePerson } from '../../../../test/kit/person.ts';
import { startIdentityProvider, type TestProvider } from '../../../../test/kit/sign-in/identity-provider.ts';
import { verifyDomains } from './domains.ts';
import { findProvider } from './queries.ts';

const providers = '/v2/identity-providers/';
const find = '/v2/auth/sso/providers/';

let app: TestApp;
let idp: TestProvider;
before(async () => {
  app = await startTestApp({ ROLES: 'api', SSO_ALLOW: '127.0.0.1', PUBLIC_URL: 'https://parley.example/phone' });
  idp = await startIdentityProvider({ redirectUris: ['https://parley.example/phone/v2/auth/sso/callback/'] });
});
after(async () => {
  await app.close();
  await idp.close();
});

const good = () => ({ name: 'Example Corp', issuer: idp.issuer, ...idp.client });
const create = (body: object, token = app.token) => app.call('POST', providers, { ...good(), ...body }, { token });
const offered = async (email: string) => (await app.call('POST', find, { email }, { token: null })).body.results;

describe(providers, () => {
  test('shows what to register with the provider, and never the secret', async () => {
    const { status, body } = await create({});
    assert.equal(status, 201);
    assert.equal(body.redirect_uri, 'https://parley.example/phone/v2/auth/sso/callback/');
    assert.equal(body.post_logout_redirect_uri, 'https://parley.example/phone/console/');
    assert.equal(body.sign_in_url, `https://parley.example/phone/console/?sso=${body.uuid}`);
    assert.deepEqual([body.scopes, body.groups_claim, body.default_role], ['openid email profile', 'groups', null]);
    assert.ok(!JSON.stringify(body).includes(idp.client.client_secret));
    const stored = await findProvider(app.deps.db, app.accountId, body.uuid);
    assert.ok(!stored!.client_secret.includes(idp.client.client_secret));
    const other = await app.call('GET', `${providers}${body.uuid}/`, undefined, { token: app.otherToken });
    assert.equal(other.status, 404);
  });

  test('a role that a provider gives is not deleted, and takes its new name with it', async () => {
    const roles = '/v2/roles/';
    const roleOf = async (name: string) => (await app.call('POST', roles, { name, scopes: ['inbox:read'] })).body.uuid;
    const [first, other] = [await roleOf('Night shift'), await roleOf('Guests')];
    const mapping = {
      name: 'Night Corp',
      group_roles: [
        { group: 'admins', role: 'admin' },
        { group: 'night', role: 'NIGHT shift' },
      ],
      default_role: 'Guests',
    };
    const { uuid } = (await create(mapping)).body;
    for (const role of [first, other]) {
      const { status, body } = await app.call('DELETE', `${roles}${role}/`);
      assert.deepEqual([status, body.code], [409, 'role_in_use']);
      assert.match(body.detail, /^The identity provider Night Corp still gives this role\./);
    }
    await app.call('PATCH', `${roles}${first}/`, { name: 'Late shift' });
    await app.call('PATCH', `${roles}${other}/`, { name: 'Visitors' });
    const shown = (await app.call('GET', `${providers}${uuid}/`)).body;
    assert.deepEqual(shown.group_roles, [
      { group: 'admins', role: 'admin' },
      { group: 'night', role: 'Late shift' },
    ]);
    assert.equal(shown.default_role, 'Visitors');
    await app.call('PATCH', `${providers}${uuid}/`, { group_roles: [], default_role: null });
    for (const role of [first, other]) assert.equal((await app.call('DELETE', `${roles}${role}/`)).status, 204);
  });

  const wrong: [field: string, body: object][] = [
    ['issuer', { issuer: 'login.example.com' }],
    ['issuer', { issuer: 'ftp://login.example.com' }],
    ['issuer', { issuer: 'https://169.254.169.254/' }],
    ['issuer', { issuer: 'https://login.example.com/?tenant=1' }],
    ['issuer', { issuer: 'https://me:secret@login.example.com/' }],
    ['scopes', { scopes: 'email' }],
    ['default_role', { default_role: 'emperor' }],
    ['group_roles', { group_roles: [{ group: 'x', role: 'emperor' }] }],
    ['domains', { domains: ['not a domain'] }],
    ['domains', { domains: ['example'] }],
    ['trust_email', { trust_email: true }],
    ['client_secret', { client_secret: '' }],
  ];
  for (const [field, body] of wrong) {
    test(`400 that names ${field} for ${JSON.stringify(body)}`, async () => {
      const refused = await create(body);
      assert.deepEqual([refused.status, Object.keys(refused.body)], [400, [field]]);
    });
  }

  test('403 for an admin, and in the operator’s account for an owner who is no operator', async () => {
    const { uuid } = (await create({})).body;
    const admin = (await app.call('GET', '/v2/roles/admin/')).body.scopes;
    for (const [username, scopes] of Object.entries({ admin1: admin, owner1: ['read', 'write'] })) {
      const person = await makePerson(app, username, { scopes });
      for (const [method, url, body] of [
        ['POST', providers, good()],
        ['PATCH', `${providers}${uuid}/`, { name: 'Mine' }],
        ['DELETE', `${providers}${uuid}/`, undefined],
        ['POST', `${providers}${uuid}/test/`, undefined],
      ] as const) {
        const refused = await person.call(method, url, body);
        assert.deepEqual([refused.status, refused.body.code], [403, 'permission_denied'], `${method} ${url}`);
      }
    }
    assert.equal((await create({}, app.otherToken)).status, 201);
  });

  test('the connection can be tested: what is right, and a wrong secret', async () => {
    const { uuid } = (await create({})).body;
    const right = await app.call('POST', `${providers}${uuid}/test/`);
    assert.deepEqual([right.body.ok, right.body.problems], [true, []]);
    assert.equal(right.body.token_endpoint, `${idp.issuer}/token`);
    await app.call('PATCH', `${providers}${uuid}/`, { client_secret: 'another' });
    const wrong = await app.call('POST', `${providers}${uuid}/test/`);
    assert.deepEqual(wrong.body.problems, ['The provider refuses the client id or the client secret.']);
    await app.call('PATCH', `${providers}${uuid}/`, { issuer: 'http://127.0.0.2:9' });
    const inside = await app.call('PATCH', `${providers}${uuid}/`, { issuer: 'https://10.0.0.1/' });
    assert.deepEqual(inside.body, {
      issuer: ["This is not a public address. The server's setting SSO_ALLOW can allow it."],
    });
  });

  test('a name that leads inside is not asked', async () => {
    const { uuid } = (await create({ issuer: 'https://idp.localhost/' })).body;
    const { body } = await app.call('POST', `${providers}${uuid}/test/`);
    assert.deepEqual([body.ok, body.authorization_endpoint], [false, null]);
  });
});

describe('Domains', () => {
  test('of the operator’s account are offered at once, in any case, while the provider is enabled', async () => {
    const { uuid } = (await create({ domains: ['Corp.Example'] })).body;
    assert.deepEqual(await offered('Ana@CORP.example'), [{ uuid, name: 'Example Corp' }]);
    assert.deepEqual(await offered('ana@else.example'), []);
    const twice = await create({ domains: ['corp.example'] });
    assert.deepEqual([twice.status, Object.keys(twice.body)], [400, ['domains']]);
    await app.call('PATCH', `${providers}${uuid}/`, { enabled: false });
    assert.deepEqual(await offered('ana@corp.example'), []);
    assert.equal((await app.call('PATCH', `${providers}${uuid}/`, { domains: [] })).body.domains.length, 0);
  });

  test('of another account are offered once a TXT record says so', async () => {
    const token = app.otherToken;
    const { uuid, domain_record, unverified_domains } = (await create({ domains: ['tenant.example'] }, token)).body;
    assert.deepEqual(unverified_domains, ['tenant.example']);
    assert.deepEqual(await offered('x@tenant.example'), []);
    const account = (await app.call('GET', '/v2/account/', undefined, { token })).body.uuid;
    const row = await findProvider(app.deps.db, account, uuid);
    const verify = (texts: string[]) =>
      verifyDomains(app.deps, row!, async (name) => (name === '_parley.tenant.example' ? texts : []));
    await assert.rejects(verify(['v=spf1 -all', 'parley-account=somebody-else']), { name: 'ValidationError' });
    await verify(['v=spf1 -all', domain_record]);
    assert.deepEqual(await offered('x@tenant.example'), [{ uuid, name: 'Example Corp' }]);
    // Nobody else can have it now, not even the operator's own account.
    assert.deepEqual(Object.keys((await create({ domains: ['tenant.example'] })).body), ['domains']);
  });

  test('400 that says which record is missing', async () => {
    const token = app.otherToken;
    const { uuid, domain_record } = (await create({ domains: ['no-such-domain.invalid'] }, token)).body;
    const { status, body } = await app.call('POST', `${providers}${uuid}/verify-domains/`, undefined, { token });
    assert.equal(status, 400);
    assert.deepEqual(body.domains, [`There is no TXT record ${domain_record} at _parley.no-such-domain.invalid.`]);
  });

  test(`${find} 400 for what is no address, 429 for whoever asks without end`, async () => {
    assert.equal((await app.call('POST', find, { email: 'nobody' }, { token: null })).status, 400);
    const statuses = new Set<number>();
    for (let asked = 0; asked < 70; asked++)
      statuses.add((await app.call('POST', find, { email: 'a@b.example' }, { token: null })).status);
    assert.deepEqual([...statuses], [200, 429]);
  });
});
