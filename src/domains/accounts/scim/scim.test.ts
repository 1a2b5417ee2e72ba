import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestAnswer, type TestApp } from '../../../../test/kit/app.ts';
import { callWith, cookieOf, makePerson, passwordOfAll, signInAs } from '../../../../test/kit/person.ts';

const base = '/scim/v2';
const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

let app: TestApp;
let token: string;
let otherToken: string;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
  token = await makeToken(app.token);
  otherToken = await makeToken(app.otherToken);
  const provider = {
    ...{ name: 'Corp', issuer: 'https://login.example.com', client_id: 'parley', client_secret: 'secret' },
    ...{ group_roles: [{ group: 'Parley admins', role: 'admin' }], default_role: 'agent' },
  };
  assert.equal((await app.call('POST', '/v2/identity-providers/', provider)).status, 201);
});
after(() => app.close());

async function makeToken(by: string): Promise<string> {
  const made = await app.call('POST', '/v2/auth/tokens/', { name: 'SCIM', scopes: ['scim:write'] }, { token: by });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body.token;
}

async function scim(method: string, url: string, body?: object | string, as = token): Promise<TestAnswer> {
  const answer = await app.app.inject({
    method: method as 'GET',
    url: `${base}${url}`,
    headers: { authorization: `Bearer ${as}`, ...(body && { 'content-type': 'application/scim+json' }) },
    ...(body && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  if (answer.statusCode !== 204) assert.match(String(answer.headers['content-type']), /^application\/scim\+json/);
  return { status: answer.statusCode, headers: answer.headers, body: answer.body && JSON.parse(answer.body) };
}
const patch = (url: string, ...Operations: object[]) => scim('PATCH', url, { schemas: [patchSchema], Operations });

/** As Okta creates somebody. */
const okta = (userName: string) => ({
  schemas: [userSchema],
  userName,
  name: { givenName: 'Ana', familyName: 'Alves' },
  emails: [{ primary: true, value: userName, type: 'work' }],
  displayName: 'Ana Alves',
  locale: 'en-US',
  externalId: `okta-${userName}`,
  groups: [],
  password: '1mz050nq',
  active: true,
});
const make = async (userName: string): Promise<string> => (await scim('POST', '/Users', okta(userName))).body.id;
const roleOf = async (uuid: string): Promise<string | null> => (await app.call('GET', `/v2/users/${uuid}/`)).body.role;

describe('SCIM users', () => {
  test('Okta: looks for somebody, creates them, reads them, and finds them by userName and externalId', async () => {
    const none = await scim(
      'GET',
      `/Users?filter=${encodeURIComponent('userName eq "ana@example.com"')}&startIndex=1&count=100`,
    );
    assert.deepEqual(none.body, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      ...{ totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] },
    });
    const { status, body, headers } = await scim('POST', '/Users', okta('ana@example.com'));
    assert.equal(status, 201);
    assert.equal(headers['location'], body.meta.location);
    assert.deepEqual(
      [body.userName, body.active, body.externalId, body.name, body.emails],
      [
        'ana@example.com',
        true,
        'okta-ana@example.com',
        { givenName: 'Ana', familyName: 'Alves', formatted: 'Ana Alves' },
        [{ value: 'ana@example.com', type: 'work', primary: true }],
      ],
    );
    assert.equal(body.password, undefined);
    assert.equal(await roleOf(body.id), 'agent');
    assert.deepEqual((await scim('GET', `/Users/${body.id}`)).body, body);
    for (const filter of [
      'userName eq "ANA@example.com"',
      'externalId eq "okta-ana@example.com"',
      'displayName eq "ana alves"',
    ]) {
      const found = await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`);
      assert.deepEqual(
        found.body.Resources.map(({ id }: { id: string }) => id),
        [body.id],
        filter,
      );
    }
    const again = await scim('POST', '/Users', okta('Ana@example.com'));
    assert.deepEqual([again.status, again.body.scimType, again.body.status], [409, 'uniqueness', '409']);
  });

  test('deactivation, as Okta and as Entra ID say it, ends every session at once and lets nobody in', async () => {
    const ways: object[][] = [
      [{ op: 'replace', value: { active: false } }],
      [{ op: 'Replace', path: 'active', value: 'False' }],
      [{ op: 'replace', path: `${userSchema}:active`, value: false }],
    ];
    for (const [place, operations] of ways.entries()) {
      const person = await makePerson(app, `leaver${place}@example.com`);
      const made = await person.call('POST', '/v2/auth/tokens/', { name: 'Own' });
      const gone = await patch(`/Users/${person.uuid}`, ...operations);
      assert.deepEqual([gone.status, gone.body.active], [200, false]);
      assert.equal((await person.call('GET', '/v2/auth/session/')).status, 401);
      const withToken = await app.call('GET', '/v2/account/', undefined, { token: made.body.token });
      assert.equal(withToken.status, 401);
      const refused = await signInAs(app, { username: person.username, password: passwordOfAll });
      assert.deepEqual([refused.status, refused.body.code], [403, 'user_deactivated']);
      await patch(`/Users/${person.uuid}`, { op: 'replace', path: 'active', value: true });
      const back = await signInAs(app, { username: person.username, password: passwordOfAll });
      assert.equal((await callWith(app, cookieOf(back))('GET', '/v2/auth/session/')).status, 200);
    }
  });

  test('Entra ID: changes attributes one by one, and what is not kept does no harm', async () => {
    const id = await make('ben@example.com');
    const { status, body } = await patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'name.givenName', value: 'Benedict' },
      { op: 'Add', path: 'emails[type eq "work"].value', value: 'benedict@example.com' },
      { op: 'Replace', path: 'displayName', value: 'Benedict Bo' },
      { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Sales' },
      { op: 'Add', path: 'addresses[type eq "work"].country', value: 'GB' },
      { op: 'Replace', path: 'userName', value: 'benedict@example.com' },
    );
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      [body.userName, body.displayName, body.name.givenName, body.emails[0].value],
      ['benedict@example.com', 'Benedict Bo', 'Benedict', 'benedict@example.com'],
    );
    const put = await scim('PUT', `/Users/${id}`, { ...okta('ben@example.com'), active: false });
    assert.deepEqual([put.status, put.body.userName, put.body.active], [200, 'ben@example.com', false]);
    assert.equal((await scim('DELETE', `/Users/${id}`)).status, 204);
    assert.equal((await scim('GET', `/Users/${id}`)).status, 404);
  });

  test('pages by startIndex and count', async () => {
    for (const name of ['p1', 'p2', 'p3']) await make(`${name}@example.com`);
    const all = (await scim('GET', '/Users')).body;
    const second = (await scim('GET', '/Users?startIndex=2&count=1')).body;
    assert.deepEqual([second.totalResults, second.startIndex, second.itemsPerPage], [all.totalResults, 2, 1]);
    assert.equal(second.Resources[0].id, all.Resources[1].id);
    assert.equal((await scim('GET', '/Users?count=0')).body.Resources.length, 0);
    assert.deepEqual((await scim('GET', '/Users?startIndex=99999')).body.Resources, []);
  });

  test('the last owner stays, and operators are nobody’s to change', async () => {
    const made = { username: 'boss@other.example', password: passwordOfAll, role: 'owner' };
    const { uuid } = (await app.call('POST', '/v2/users/', made, { token: app.otherToken })).body;
    const body = { schemas: [patchSchema], Operations: [{ op: 'replace', value: { active: false } }] };
    const refused = await scim('PATCH', `/Users/${uuid}`, body, otherToken);
    assert.equal(refused.status, 409);
    assert.equal((await scim('DELETE', `/Users/${uuid}`, undefined, otherToken)).status, 409);
    const admin = (await app.call('GET', '/v2/users/')).body.results.find((one: { scopes: string[] }) =>
      one.scopes.includes('operator'),
    );
    assert.equal((await patch(`/Users/${admin.uuid}`, { op: 'replace', value: { active: false } })).status, 403);
  });
});

describe('SCIM groups', () => {
  test('give their members the role that the provider’s settings say, and take it away again', async () => {
    const [one, two] = [await make('g1@example.com'), await make('g2@example.com')];
    // As Okta pushes a group.
    const group = { schemas: [groupSchema], displayName: 'Parley admins', members: [{ value: one, display: 'g1' }] };
    const { status, body } = await scim('POST', '/Groups', group);
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual([await roleOf(one), await roleOf(two)], ['admin', 'agent']);
    assert.equal((await scim('GET', `/Users/${one}`)).body.groups[0].display, 'Parley admins');
    const url = `/Groups/${body.id}`;
    // As Entra ID adds and removes members.
    await patch(url, { op: 'Add', path: 'members', value: [{ value: two }] });
    assert.deepEqual([await roleOf(one), await roleOf(two)], ['admin', 'admin']);
    await patch(url, { op: 'Remove', path: 'members', value: [{ value: one }] });
    assert.equal(await roleOf(one), 'agent');
    // As Okta does.
    await patch(url, { op: 'remove', path: `members[value eq "${two}"]` });
    assert.equal(await roleOf(two), 'agent');
    await patch(url, { op: 'replace', path: 'members', value: [{ value: one }, { value: two }] });
    assert.deepEqual([await roleOf(one), await roleOf(two)], ['admin', 'admin']);
    await patch(url, { op: 'replace', value: { id: body.id, displayName: 'Renamed' } });
    assert.equal(await roleOf(one), 'agent');
    await patch(url, { op: 'replace', value: { displayName: 'Parley admins' } });
    assert.equal(await roleOf(one), 'admin');
    const found = await scim(
      'GET',
      '/Groups?filter=displayName%20eq%20%22parley%20admins%22&excludedAttributes=members',
    );
    assert.deepEqual([found.body.totalResults, found.body.Resources[0].members], [1, undefined]);
    assert.equal((await scim('POST', '/Groups', group)).body.scimType, 'uniqueness');
    assert.equal((await scim('DELETE', url)).status, 204);
    assert.equal(await roleOf(one), 'agent');
  });

  test('a group that nobody gave a role gives none, whatever it is called', async () => {
    const id = await make('eve@example.com');
    await scim('POST', '/Groups', { displayName: 'owner', members: [{ value: id }] });
    assert.equal(await roleOf(id), 'agent');
  });
});

describe('SCIM', () => {
  test('describes itself', async () => {
    assert.equal((await scim('GET', '/ServiceProviderConfig')).body.patch.supported, true);
    assert.equal((await scim('GET', '/ResourceTypes')).body.totalResults, 2);
    assert.equal((await scim('GET', `/Schemas/${userSchema}`)).body.name, 'User');
    assert.equal((await scim('GET', '/ResourceTypes/Group')).body.endpoint, '/Groups');
  });

  test('takes a token with a scope of its own, which owners alone can make', async () => {
    for (const [as, status] of [
      ['nobody', 401],
      [app.token, 403],
    ] as const) {
      const { status: given, body } = await scim('GET', '/Users', undefined, as);
      assert.deepEqual([given, body.schemas], [status, ['urn:ietf:params:scim:api:messages:2.0:Error']]);
    }
    const admin = await makePerson(app, 'some-admin', { scopes: ['read', 'account:write'] });
    const refused = await admin.call('POST', '/v2/auth/tokens/', { name: 'SCIM', scopes: ['scim:write'] });
    assert.equal(refused.status, 403);
    const elsewhere = await app.call('GET', '/v2/users/', undefined, { token });
    assert.equal(elsewhere.status, 403);
  });

  test('shows and changes nothing of another account', async () => {
    const id = await make('mine@example.com');
    const group = (await scim('POST', '/Groups', { displayName: 'Mine', members: [{ value: id }] })).body.id;
    for (const url of [`/Users/${id}`, `/Groups/${group}`]) {
      for (const [method, body] of [
        ['GET', undefined],
        ['PUT', { ...okta('x@example.com'), displayName: 'x' }],
        ['PATCH', { Operations: [{ op: 'replace', value: { displayName: 'x' } }] }],
        ['DELETE', undefined],
      ] as const) {
        assert.equal((await scim(method, url, body, otherToken)).status, 404, `${method} ${url}`);
      }
    }
    const foreign = await scim('POST', '/Groups', { displayName: 'Theirs', members: [{ value: id }] }, otherToken);
    assert.equal(foreign.status, 400);
    assert.ok(!JSON.stringify((await scim('GET', '/Users', undefined, otherToken)).body).includes(id));
    const taken = await scim('POST', '/Users', okta('mine@example.com'), otherToken);
    assert.equal(taken.status, 409);
  });

  const id = '01890000-0000-7000-8000-000000000000';
  const wrong: [method: string, url: string, body: object | string | undefined, status: number, type?: string][] = [
    ['GET', '/Users?filter=title%20pr', undefined, 400, 'invalidFilter'],
    ['GET', '/Users?filter=userName%20eq%20%22a%22%20or%201', undefined, 400, 'invalidFilter'],
    ['GET', '/Users?startIndex=x', undefined, 400, 'invalidValue'],
    ['POST', '/Users', '{', 400, 'invalidSyntax'],
    ['POST', '/Users', [], 400, 'invalidSyntax'],
    ['POST', '/Users', {}, 400, 'invalidValue'],
    ['POST', '/Users', { userName: 'a b' }, 400, 'invalidValue'],
    ['POST', '/Users', { userName: 'c@example.com', active: 'perhaps' }, 400, 'invalidValue'],
    ['POST', '/Users', { userName: 'c@example.com', displayName: 5 }, 400, 'invalidValue'],
    ['POST', '/Users', { userName: 'c@example.com', emails: [5] }, 400, 'invalidValue'],
    ['POST', '/Groups', { displayName: '' }, 400, 'invalidValue'],
    ['POST', '/Groups', { displayName: 'x', members: [{ value: 'nobody' }] }, 400, 'invalidValue'],
    ['POST', '/Groups', { displayName: 'x', members: [{ value: id }] }, 400, 'invalidValue'],
    ['GET', `/Users/${id}`, undefined, 404],
    ['GET', '/Users/nobody', undefined, 404],
    ['GET', '/Nothing', undefined, 404],
    ['PATCH', `/Users/${id}`, { Operations: [] }, 404],
  ];
  for (const [method, url, body, status, type] of wrong) {
    test(`${method} ${url} with ${JSON.stringify(body)} is ${status} ${type ?? ''}, in SCIM’s words`, async () => {
      const answer = await scim(method, url, body);
      assert.deepEqual([answer.status, answer.body.scimType, answer.body.status], [status, type, String(status)]);
    });
  }

  test('a PATCH that makes no sense is 400, and changes nothing', async () => {
    const user = await make('still@example.com');
    for (const body of [{}, { Operations: [] }, { Operations: [5] }, { Operations: [{ op: 'move', path: 'x' }] }]) {
      assert.equal((await scim('PATCH', `/Users/${user}`, body)).status, 400, JSON.stringify(body));
    }
    const odd = [
      { op: 'add', path: '__proto__.active', value: false },
      { op: 'replace', path: 'id', value: 'x' },
    ];
    const answer = await patch(`/Users/${user}`, ...odd);
    assert.deepEqual([answer.status, answer.body.id, answer.body.active], [200, user, true]);
  });

  test('is in the audit log, by the name of the token', async () => {
    const { results } = (await app.call('GET', '/v2/audit-log/?page_size=200')).body;
    const entry = results.find((one: { summary: string }) => one.summary === 'Create a user by SCIM');
    assert.deepEqual([entry.operation, entry.actor.name], ['createUser', 'SCIM']);
  });
});
