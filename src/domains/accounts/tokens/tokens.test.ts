import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';

const tokens = '/v2/auth/tokens/';
let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api', TRUST_PROXY: 'true' });
});
after(() => app.close());

const from = (address: string) => ({ 'x-forwarded-for': address });
const make = (body: object, token?: string) =>
  app.call(
    'POST',
    tokens,
    { name: 'Bound', scopes: ['read', 'tokens:write'], ...body },
    token ? { token, headers: from('192.0.2.9') } : {},
  );

describe('Allowed networks of a token', () => {
  test('it works from there, and from elsewhere is a 403 that says why', async () => {
    const { body } = await make({ allowed_networks: ['192.0.2.0/24', '2001:db8::/32'], purpose: 'Nightly export' });
    assert.deepEqual([body.purpose, body.allowed_networks], ['Nightly export', ['192.0.2.0/24', '2001:db8::/32']]);
    const as = async (address: string) => {
      const answer = await app.call('GET', '/v2/contacts/', undefined, { token: body.token, headers: from(address) });
      return [answer.status, answer.body.code];
    };
    assert.deepEqual(await as('192.0.2.7'), [200, undefined]);
    assert.deepEqual(await as('2001:db8::1'), [200, undefined]);
    assert.deepEqual(await as('198.51.100.1'), [403, 'network_not_allowed']);
  });

  test('what is made with it, and sessions that it opens, are bound as well', async () => {
    const { token } = (await make({ allowed_networks: ['192.0.2.0/24'] })).body;
    const child = await make({}, token);
    assert.deepEqual(child.body.allowed_networks, ['192.0.2.0/24']);
    const wider = await make({ allowed_networks: ['0.0.0.0/0'] }, token);
    assert.deepEqual([wider.status, Object.keys(wider.body)], [400, ['allowed_networks']]);
    const open = (address: string) =>
      app.call('POST', '/v2/auth/session/', { token }, { token: null, headers: from(address) });
    assert.equal((await open('198.51.100.1')).body.code, 'network_not_allowed');
    const cookie = String((await open('192.0.2.7')).headers['set-cookie']).split(';')[0]!;
    const away = { cookie, ...from('198.51.100.1') };
    assert.equal((await app.call('GET', '/v2/contacts/', undefined, { token: null, headers: away })).status, 403);
  });

  test('400 for what is no network', async () => {
    for (const wrong of ['somewhere', '192.0.2.0/33', '192.0.2']) {
      const { status, body } = await make({ allowed_networks: [wrong] });
      assert.deepEqual([status, Object.keys(body)], [400, ['allowed_networks']], wrong);
    }
  });
});

describe('The expiry of new tokens', () => {
  test('is the default of the account where nothing is said', async () => {
    assert.equal((await make({})).body.expires, null);
    await app.call('PATCH', '/v2/account/', { token_days: 90 });
    const days = (Date.parse((await make({})).body.expires) - Date.now()) / 86_400_000;
    assert.ok(days > 89 && days < 91, String(days));
    assert.equal((await make({ expires: null })).body.expires, null);
    await app.call('PATCH', '/v2/account/', { token_days: null });
  });
});

test('what a token did is in the audit log by its uuid', async () => {
  const { body } = await make({ scopes: ['contacts:write'] });
  const contact = { phone_number: '+447700900321' };
  assert.equal((await app.call('POST', '/v2/contacts/', contact, { token: body.token })).status, 201);
  const { results } = (await app.call('GET', `/v2/audit-log/?actor=${body.uuid}`)).body;
  assert.deepEqual(
    results.map(({ operation }: { operation: string }) => operation),
    ['createContact'],
  );
});
