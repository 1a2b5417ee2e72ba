import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { makeAuthority } from '../../../../test/kit/certificates.ts';
import { findLink } from './links.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const centre = { host: 'smsc.example.com', system_id: 'parley', password: 'secret' };
const create = (body: object, options?: Parameters<TestApp['call']>[3]) =>
  app.call('POST', '/v2/sms-links/', body, options);
const list = async () => (await app.call('GET', '/v2/sms-links/?ordering=created')).body.results;

test('the first SMS of an account adopts a sandbox link; the first real link disables it, and senders must be one’s own', async () => {
  assert.deepEqual(await list(), []);
  const send = (from: string) => app.call('POST', '/v2/send-sms/', { from, to: '+447700900123', text: 'Hello' });
  assert.equal((await send('')).status, 400);
  assert.deepEqual(await list(), [], 'what is refused adopts nothing');
  assert.equal((await send('Anybody')).status, 201);
  const [adopted] = await list();
  assert.deepEqual([adopted.carrier, adopted.enabled, adopted.host], ['sandbox', true, null]);

  const { status } = await create({ ...centre, name: 'Main' });
  assert.equal(status, 201);
  assert.deepEqual(
    (await list()).map(({ name, enabled }: { name: string; enabled: boolean }) => [name, enabled]),
    [
      ['sandbox', false],
      ['Main', true],
    ],
  );
  for (const from of ['Anybody', '+447700900001']) {
    assert.deepEqual((await send(from)).body, {
      from: ['This is neither one of your SMS-capable numbers nor a registered sender.'],
    });
  }
  await app.call('POST', '/v2/sms-senders/', { sender: 'Anybody' });
  assert.equal((await send('ANYBODY')).status, 201);
  // A real link ends the trial, and with it the fictional numbers.
  await app.call('PATCH', '/v2/account/', { sandbox: 'adopt' });
  const { number } = (await app.call('POST', '/v2/number/', { country_code: 'GB' })).body;
  assert.equal((await send(number)).status, 201);
  await sql`update numbers set capabilities = '{VOICE}' where account_id = ${app.accountId}`.execute(app.deps.db);
  assert.equal((await send(number)).status, 400, 'a number that cannot send SMS');
});

test('a link is shown without its password, which only its carrier gets, and changed in part', async () => {
  const { body } = await create({ ...centre, port: 3550, tls: true, messages_per_second: 20 });
  const { uuid, name, created, modified, ...rest } = body;
  assert.deepEqual(rest, {
    carrier: 'smpp',
    host: 'smsc.example.com',
    port: 3550,
    tls: true,
    tls_verify: true,
    tls_ca: null,
    tls_cert: null,
    system_id: 'parley',
    system_type: '',
    bind: 'transceiver',
    window: 10,
    response_timeout_seconds: 30,
    enquire_link_seconds: 30,
    service_type: '',
    source_ton: null,
    source_npi: null,
    dest_ton: null,
    dest_npi: null,
    id_format: 'auto',
    messages_per_second: 20,
    weight: 1,
    enabled: true,
  });
  const path = `/v2/sms-links/${uuid}/`;
  const changed = await app.call('PATCH', path, { window: 50, password: 'other', weight: 3 });
  assert.deepEqual([changed.status, changed.body.window, changed.body.weight, changed.body.port], [200, 50, 3, 3550]);
  const link = await findLink(app.deps, app.accountId, uuid);
  assert.equal(link?.settings['password'], 'other');
  const stored = await app.deps.db
    .selectFrom('sms_links')
    .selectAll()
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow();
  assert.ok(!JSON.stringify(stored).includes('other'));

  const other = { token: app.otherToken };
  assert.equal((await app.call('GET', path, undefined, other)).status, 404);
  assert.equal((await app.call('PATCH', path, { weight: 1 }, other)).status, 404);
  assert.equal((await app.call('DELETE', path, undefined, other)).status, 404);
  assert.deepEqual((await app.call('GET', '/v2/network-status/sms/', undefined, other)).body.results, []);
  assert.equal((await app.call('DELETE', path)).status, 204);
  assert.equal((await app.call('GET', path)).status, 404);
});

test('400 for what is missing, private, doubled or of no use', async () => {
  assert.deepEqual((await create({})).body, {
    host: ['This field is required.'],
    system_id: ['This field is required.'],
    password: ['This field is required.'],
  });
  assert.deepEqual((await create({ ...centre, host: '10.0.0.1' })).body, {
    host: ["This is not a public address. The server's setting SMPP_ALLOW can allow it."],
  });
  assert.deepEqual((await create({ ...centre, host: 'a b' })).body, { host: ['Enter a host name or an address.'] });
  assert.deepEqual((await create({ carrier: 'sandbox', host: 'x.example.com' })).body, {
    host: ['This carrier does not use this field.'],
  });
  assert.equal((await create({ ...centre, name: 'Twice' })).status, 201);
  assert.deepEqual((await create({ ...centre, name: 'Twice' })).body, { name: ['This field must be unique.'] });
  const { uuid } = (await create(centre)).body;
  assert.deepEqual((await app.call('PATCH', `/v2/sms-links/${uuid}/`, { name: 'Twice' })).body, {
    name: ['This field must be unique.'],
  });
});

test('a client certificate comes with its key, which is never shown; what does not fit is refused at its field', async () => {
  const authority = makeAuthority();
  const { cert, key } = authority.issue(['parley.test']);
  const fieldsOf = async (body: object) => Object.keys((await create({ ...centre, tls: true, ...body })).body);
  assert.deepEqual(await fieldsOf({ tls_cert: cert }), ['tls_key']);
  assert.deepEqual(await fieldsOf({ tls_key: key }), ['tls_cert']);
  assert.deepEqual(await fieldsOf({ tls_cert: 'nonsense', tls_key: key }), ['tls_cert']);
  assert.deepEqual(await fieldsOf({ tls_cert: cert, tls_key: authority.issue(['other.test']).key }), ['tls_key']);
  const { status, body } = await create({ ...centre, tls: true, tls_cert: cert, tls_key: key });
  assert.deepEqual([status, body.tls_cert, 'tls_key' in body], [201, cert.trim(), false]);
  const url = `/v2/sms-links/${body.uuid}/`;
  assert.equal((await app.call('PATCH', url, { weight: 2 })).status, 200, 'the key stays');
  assert.deepEqual(Object.keys((await app.call('PATCH', url, { tls_cert: null })).body), ['tls_cert']);
  assert.equal((await app.call('PATCH', url, { tls_cert: null, tls_key: '' })).body.tls_cert, null);
});
