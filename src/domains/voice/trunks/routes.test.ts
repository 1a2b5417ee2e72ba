import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { makeAuthority } from '../../../../test/kit/certificates.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const url = '/v2/sip-trunks/';
const create = (body: object) => app.call('POST', url, body);

test('a trunk is made with what it leaves out, shown without its password, changed and deleted', async () => {
  const made = await create({
    name: 'Main',
    host: 'sip.example.com',
    username: 'parley',
    password: 'very secret',
    register: true,
    allowed_addresses: ['203.0.113.7', '198.51.100.0/24', '2001:db8::/32'],
  });
  assert.equal(made.status, 201);
  const { uuid, created, modified, ...rest } = made.body;
  assert.ok(created && modified);
  const expected = {
    name: 'Main',
    host: 'sip.example.com',
    port: 5060,
    transport: 'udp',
    tls_verify: true,
    tls_ca: null,
    tls_client_name: null,
    srtp: 'off',
    username: 'parley',
    register: true,
    allowed_addresses: ['203.0.113.7', '198.51.100.0/24', '2001:db8::/32'],
    codecs: ['PCMU', 'PCMA'],
    from_domain: '',
    weight: 1,
    enabled: true,
  };
  assert.deepEqual(rest, expected);
  const one = `${url}${uuid}/`;
  assert.deepEqual((await app.call('GET', one)).body, made.body);
  assert.deepEqual((await app.call('GET', url)).body.results, [made.body]);

  const changed = await app.call('PATCH', one, { port: 5080, transport: 'tcp', codecs: ['PCMA'], enabled: false });
  assert.equal(changed.status, 200);
  assert.deepEqual(
    [changed.body.port, changed.body.transport, changed.body.codecs, changed.body.enabled, changed.body.username],
    [5080, 'tcp', ['PCMA'], false, 'parley'],
  );
  const stored = await app.deps.db
    .selectFrom('sip_trunks')
    .selectAll()
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow();
  assert.ok(!JSON.stringify(stored).includes('very secret'));
  assert.equal(app.deps.vault.open(stored.password!), 'very secret');

  const other = { token: app.otherToken };
  assert.equal((await app.call('GET', one, undefined, other)).status, 404);
  assert.equal((await app.call('PATCH', one, { weight: 2 }, other)).status, 404);
  assert.equal((await app.call('DELETE', one, undefined, other)).status, 404);
  assert.deepEqual((await app.call('GET', url, undefined, other)).body.results, []);
  assert.equal((await app.call('DELETE', one)).status, 204);
  assert.equal((await app.call('GET', one)).status, 404);
});

test('network status shows enabled trunks, also when no process looks after them', async () => {
  await create({ name: 'Seen', host: 'sip.example.com' });
  await create({ name: 'Unseen', host: 'sip.example.com', enabled: false });
  const { body } = await app.call('GET', '/v2/network-status/voice/');
  const trunks = body.results.filter(({ carrier }: { carrier: string }) => carrier === 'sip');
  assert.deepEqual(
    trunks.map(({ name, state, last_error }: Record<string, string>) => [name, state, last_error]),
    [['Seen', 'DOWN', 'No process looks after it.']],
  );
});

test('TLS: its port, its authority, and SRTP with nothing less', async () => {
  const { cert } = makeAuthority();
  const tls = { host: 'sip.example.com', transport: 'tls', srtp: 'required', tls_ca: cert };
  const { status, body } = await create(tls);
  assert.deepEqual(
    [status, body.port, body.srtp, body.tls_ca, body.tls_verify],
    [201, 5061, 'required', cert.trim(), true],
  );
  assert.equal((await create({ ...tls, port: 5443 })).body.port, 5443);
  const onlyTls = { srtp: ['SRTP keys are only exchanged over TLS: set transport to tls.'] };
  assert.deepEqual((await create({ host: 'sip.example.com', srtp: 'optional' })).body, onlyTls);
  assert.deepEqual((await app.call('PATCH', `${url}${body.uuid}/`, { transport: 'tcp' })).body, onlyTls);
  assert.deepEqual((await create({ ...tls, tls_ca: 'nonsense' })).body, {
    tls_ca: ['Enter certificates in PEM format.'],
  });
  assert.equal((await create({ ...tls, srtp: 'perhaps' })).status, 400);
});

test('tls_client_name: with its authority, and never without', async () => {
  const { cert } = makeAuthority();
  const tls = { host: 'sip.example.com', transport: 'tls', tls_ca: cert, tls_client_name: 'pbx.example.com' };
  const { status, body } = await create(tls);
  assert.deepEqual([status, body.tls_client_name], [201, 'pbx.example.com']);
  const listed = (await app.call('GET', `${url}?page_size=200`)).body.results;
  const found = listed.find(({ uuid }: { uuid: string }) => uuid === body.uuid);
  assert.equal(found.tls_client_name, 'pbx.example.com');
  const authority = { tls_ca: ['Enter the authority that signs the certificates of callers, in PEM.'] };
  assert.deepEqual((await create({ ...tls, tls_ca: null })).body, authority);
  assert.deepEqual((await app.call('PATCH', `${url}${body.uuid}/`, { tls_ca: null })).body, authority);
  for (const wrong of ['', '*.example.com', 'a b', '-x']) {
    const refused = await create({ ...tls, tls_client_name: wrong });
    assert.deepEqual([refused.status, Object.keys(refused.body)], [400, ['tls_client_name']], wrong);
  }
  const open = await app.call('PATCH', `${url}${body.uuid}/`, { tls_client_name: null, tls_ca: null });
  assert.deepEqual([open.status, open.body.tls_client_name], [200, null]);
});

test('400 for what is missing, private, doubled or senseless', async () => {
  assert.deepEqual((await create({})).body, { host: ['This field is required.'] });
  assert.deepEqual((await create({ host: '10.0.0.1' })).body, {
    host: ["This is not a public address. The server's setting SIP_ALLOW can allow it."],
  });
  assert.deepEqual((await create({ host: 'a b' })).body, { host: ['Enter a host name or an address.'] });
  assert.deepEqual((await create({ host: 'sip.example.com', register: true })).body, {
    username: ['This field is required to register.'],
    password: ['This field is required to register.'],
  });
  const networks = ['Enter addresses or networks, such as 192.0.2.1 or 192.0.2.0/24.'];
  for (const wrong of [
    'x',
    '192.0.2.1/24',
    '0.0.0.0/0',
    '::/0',
    // All of IPv4, in the clothes of IPv6.
    '::ffff:0:0/96',
    '192.0.2.0/33',
    '2001:db8::1/64',
    '::1%lo',
    '1.2.3.4/',
    '',
  ]) {
    const { status, body } = await create({ host: 'sip.example.com', allowed_addresses: [wrong] });
    assert.deepEqual([status, body], [400, { allowed_addresses: networks }], wrong);
  }
  assert.equal(
    (await create({ host: 'sip.example.com', allowed_addresses: ['::ffff:1.2.3.4/128', 'fe80::/10'] })).status,
    201,
  );
  assert.equal((await create({ host: 'sip.example.com', name: 'Twice' })).status, 201);
  const taken = { name: ['This field must be unique.'] };
  assert.deepEqual((await create({ host: 'sip.example.com', name: 'Twice' })).body, taken);
  const { uuid } = (await create({ host: 'sip.example.com' })).body;
  assert.deepEqual((await app.call('PATCH', `${url}${uuid}/`, { name: 'Twice' })).body, taken);
});
