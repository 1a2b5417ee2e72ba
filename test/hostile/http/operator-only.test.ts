import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApp, type TestApp } from '../../kit/app.ts';

// What concerns all who use a server is decided by whoever runs it: names that people take for a bank's, and numbers that all can buy.

let app: TestApp;
let base: string;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
  base = await app.app.listen({ port: 0, host: '127.0.0.1' });
});
after(() => app.close());

const names = '/v2/operator/sender-names/';
const denied = { detail: 'You do not have permission to perform this action.', code: 'permission_denied' };

async function ask(method: string, path: string, { as = app.token, body }: { as?: string; body?: unknown } = {}) {
  const answer = await fetch(base + path, {
    method,
    headers: { authorization: `Token ${as}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
}

const makeToken = async (scopes: string[]): Promise<string> =>
  (await ask('POST', '/v2/auth/tokens/', { body: { name: 'Program', scopes } })).body.token;
const register = (as: string, sender: string) => ask('POST', '/v2/sms-senders/', { as, body: { sender } });
const send = (as: string, from: string) =>
  ask('POST', '/v2/send-sms/', { as, body: { from, to: '+447700900123', text: 'Your code is 1234' } });
const addLink = (as: string) =>
  ask('POST', '/v2/sms-links/', { as, body: { host: 'smsc.example.com', system_id: 'x', password: 'secret' } });

test('numbers are put into the pool with the scope operator alone', async () => {
  const numbers = [{ number: '+442079460900', carrier: 'acme' }];
  for (const as of [await makeToken(['number:write']), await makeToken(['read', 'write']), app.otherToken]) {
    const { status, body } = await ask('POST', '/v2/number/pool/', { as, body: numbers });
    assert.deepEqual([status, body], [403, denied]);
  }
  for (const as of [await makeToken(['operator']), app.token]) {
    assert.equal((await ask('POST', '/v2/number/pool/', { as, body: numbers })).status, 200);
  }
});

test('in the sandbox any name will do, and what was registered there is not approved for real people', async () => {
  const made = await register(app.otherToken, 'HSBC');
  assert.deepEqual([made.status, made.body.status], [201, 'APPROVED']);
  assert.equal((await send(app.otherToken, 'HSBC')).status, 201);
  assert.equal((await addLink(app.otherToken)).status, 201);
  const { results } = (await ask('GET', '/v2/sms-senders/', { as: app.otherToken })).body;
  assert.deepEqual([results[0].sender, results[0].status], ['HSBC', 'PENDING']);
  const refused = await send(app.otherToken, 'HSBC');
  assert.deepEqual([refused.status, Object.keys(refused.body)], [400, ['from']]);
});

test('over a real link a name is sent from when the operator has approved it, and until it is rejected', async () => {
  const made = await register(app.otherToken, 'Orchard');
  assert.deepEqual([made.status, made.body.status], [201, 'PENDING']);
  assert.deepEqual(Object.keys((await send(app.otherToken, 'Orchard')).body), ['from']);
  const { results } = (await ask('GET', `${names}?status=PENDING`)).body;
  const waiting = results.find(({ uuid }: { uuid: string }) => uuid === made.body.uuid);
  assert.deepEqual([waiting.sender, waiting.account.name, waiting.decided], ['Orchard', 'Another tenant', null]);

  const one = `${names}${made.body.uuid}/`;
  assert.equal((await ask('POST', `${one}approve/`)).body.status, 'APPROVED');
  assert.equal((await send(app.otherToken, 'orchard')).status, 201);

  const rejected = await ask('POST', `${one}reject/`, { body: { reason: 'Not your trade mark.' } });
  assert.deepEqual([rejected.status, rejected.body.status], [200, 'REJECTED']);
  assert.equal((await send(app.otherToken, 'Orchard')).status, 400);
  const theirs = (await register(app.otherToken, 'Orchard')).body;
  assert.deepEqual([theirs.status, theirs.reason], ['REJECTED', 'Not your trade mark.']);

  const log = (await ask('GET', '/v2/audit-log/')).body.results;
  const operations = log.map(({ operation }: { operation: string }) => operation);
  assert.ok(operations.includes('approveSenderName') && operations.includes('rejectSenderName'));
});

test('nobody but the operator sees or decides them', async () => {
  const { uuid } = (await register(app.otherToken, 'Northbank')).body;
  for (const as of [app.otherToken, await makeToken(['read', 'write'])]) {
    assert.deepEqual(await ask('GET', names, { as }), { status: 403, body: denied });
    for (const decision of ['approve', 'reject']) {
      const path = `${names}${uuid}/${decision}/`;
      assert.deepEqual(await ask('POST', path, { as, body: {} }), { status: 403, body: denied });
    }
  }
  // Not even with the scope, in another account.
  await app.deps.db
    .updateTable('tokens')
    .set({ scopes: ['read', 'write', 'operator'] })
    .where('name', '=', 'test')
    .execute();
  app.deps.caches.forget();
  assert.equal((await ask('POST', `${names}${uuid}/approve/`, { as: app.otherToken, body: {} })).status, 403);
  assert.equal((await send(app.otherToken, 'Northbank')).status, 400);
  const missing = '0198c0de-0000-7000-8000-000000000000';
  assert.equal((await ask('POST', `${names}${missing}/approve/`, { body: {} })).status, 404);
});

test('the operator’s own names need no approval', async () => {
  assert.equal((await addLink(app.token)).status, 201);
  assert.equal((await register(app.token, 'Parley')).body.status, 'APPROVED');
  assert.equal((await send(app.token, 'Parley')).status, 201);
});
