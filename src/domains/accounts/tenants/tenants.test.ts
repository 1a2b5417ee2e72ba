import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';

const url = '/v2/accounts/';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const make = async (fields: object = {}) => {
  const answer = await app.call('POST', url, { name: 'Harbour', ...fields });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
};
const tokenOf = async (uuid: string, body: object = {}) => {
  const answer = await app.call('POST', `${url}${uuid}/tokens/`, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
};
const asTenant = (token: string, address = '/v2/account/') => app.call('GET', address, undefined, { token });

describe('POST /v2/accounts/', () => {
  it('makes an account whose first token works, in its country and within its limits', async () => {
    const limits = { requests_per_minute: 2, storage_bytes: 1000 };
    const tenant = await make({ default_country: 'ES', time_zone: 'Europe/Madrid', limits });
    assert.deepEqual(
      [tenant.status, tenant.default_country, tenant.time_zone, tenant.limits, tenant.operator, tenant.suspended],
      ['ACTIVE', 'ES', 'Europe/Madrid', limits, false, null],
    );
    const { token, name, scopes, created_by } = await tokenOf(tenant.uuid);
    assert.deepEqual([name, scopes, created_by], ['First token', ['read', 'write'], null]);
    const own = await asTenant(token);
    assert.deepEqual([own.body.uuid, own.body.operator], [tenant.uuid, false]);
    await asTenant(token);
    assert.equal((await asTenant(token)).status, 429);
  });

  it('400 naming the field for what is wrong, unknown limits included', async () => {
    const cases: [body: object, field: string][] = [
      [{}, 'name'],
      [{ name: '' }, 'name'],
      [{ name: 'A', default_country: 'UK' }, 'default_country'],
      [{ name: 'A', time_zone: 'Europe/Atlantis' }, 'time_zone'],
      [{ name: 'A', limits: { messages: 5 } }, 'limits'],
      [{ name: 'A', limits: { requests_per_minute: 0 } }, 'limits'],
    ];
    for (const [body, field] of cases) {
      const answer = await app.call('POST', url, body);
      assert.deepEqual([answer.status, Object.keys(answer.body)], [400, [field]], JSON.stringify(body));
    }
    const { body } = await app.call('POST', url, { name: 'A', limits: { messages: 5 } });
    assert.match(JSON.stringify(body), /Not a known limit\. Use requests_per_minute and storage_bytes\./);
  });
});

describe('/v2/accounts/{uuid}/', () => {
  it('PATCH changes name and limits, which count at once', async () => {
    const { uuid } = await make();
    const { token } = await tokenOf(uuid);
    assert.equal((await asTenant(token)).status, 200);
    const patched = await app.call('PATCH', `${url}${uuid}/`, { name: 'Bay', limits: { requests_per_minute: 1 } });
    assert.deepEqual(
      [patched.status, patched.body.name, patched.body.limits],
      [200, 'Bay', { requests_per_minute: 1 }],
    );
    assert.equal((await asTenant(token)).status, 429);
    assert.equal((await app.call('PATCH', `${url}${uuid}/`, { limits: { requests: 1 } })).status, 400);
    const cleared = await app.call('PATCH', `${url}${uuid}/`, { limits: {} });
    assert.deepEqual(cleared.body.limits, {});
    assert.equal((await asTenant(token)).status, 200);
  });

  it('a token that is made for an account has no scope operator, and does not outlive its end', async () => {
    const { uuid } = await make();
    const ask = (body: object) => app.call('POST', `${url}${uuid}/tokens/`, body);
    assert.deepEqual(Object.keys((await ask({ scopes: ['operator'] })).body), ['scopes']);
    assert.deepEqual(Object.keys((await ask({ expires: '2020-01-01T00:00:00Z' })).body), ['expires']);
    const { token } = await tokenOf(uuid, { name: 'Reader', scopes: ['account:read'] });
    assert.equal((await asTenant(token)).status, 200);
    assert.equal((await app.call('PATCH', '/v2/account/', { name: 'X' }, { token })).status, 403);
  });
});

describe('GET /v2/accounts/', () => {
  it('filters by name, by its beginning and by status, and pages', async () => {
    const names = ['Quay One', 'Quay Two', 'quay three'];
    const made = [];
    for (const name of names) made.push(await make({ name }));
    await app.call('POST', `${url}${made[1].uuid}/suspend/`);
    const namesOf = async (query: string) =>
      (await app.call('GET', `${url}?${query}`)).body.results.map(({ name }: { name: string }) => name);
    assert.deepEqual(await namesOf('name=Quay+One'), ['Quay One']);
    assert.deepEqual(await namesOf('q=quay&ordering=created'), names);
    assert.deepEqual(await namesOf('q=quay&status=SUSPENDED'), ['Quay Two']);
    assert.deepEqual(await namesOf('q=%25'), []);
    const page = (await app.call('GET', `${url}?q=quay&page_size=2&ordering=created`)).body;
    assert.equal(page.count, 3);
    const next = await app.call('GET', page.next.replace(/^https?:\/\/[^/]+/, ''));
    assert.deepEqual(
      next.body.results.map(({ name }: { name: string }) => name),
      ['quay three'],
    );
  });
});

it('403 for another account, whatever its scopes, and 404 for an account that does not exist', async () => {
  const { uuid } = await make();
  await app.deps.db
    .updateTable('tokens')
    .set({ scopes: ['read', 'write', 'operator'] })
    .execute();
  const operations: [Parameters<TestApp['call']>[0], string, object?][] = [
    ['GET', url],
    ['POST', url, { name: 'Another' }],
    ['GET', `${url}${uuid}/`],
    ['PATCH', `${url}${uuid}/`, { name: 'Taken' }],
    ['POST', `${url}${uuid}/suspend/`],
    ['POST', `${url}${uuid}/resume/`],
    ['POST', `${url}${uuid}/tokens/`, {}],
  ];
  for (const [method, address, body] of operations) {
    const refused = await app.call(method, address, body, { token: app.otherToken });
    assert.deepEqual([refused.status, refused.body.code], [403, 'permission_denied'], `${method} ${address}`);
    if (address === url) continue;
    const nowhere = await app.call(method, address.replace(uuid, '01890000-0000-7000-8000-000000000000'), body);
    assert.equal(nowhere.status, 404, `${method} ${address}`);
  }
});
