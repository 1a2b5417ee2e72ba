import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { makeRegistrar } from './registrar.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

it('reads again the trunks of accounts that have changed, and all of them when anything may have', async () => {
  const { db, listener, log, vault } = app.deps;
  const looked: string[] = [];
  const known = new Map([['a.example.com', ['192.0.2.1']]]);
  const registrar = makeRegistrar({
    ...{ db, listener, log, vault },
    async addresses(host) {
      looked.push(host);
      const found = known.get(host) ?? [];
      return { addresses: found, problem: found.length > 0 ? '' : `${host} has no address.` };
    },
  });
  const add = async (name: string, host: string, token: string) => {
    const made = await app.call('POST', '/v2/sip-trunks/', { name, host }, { token });
    assert.equal(made.status, 201, JSON.stringify(made.body));
  };
  const namesNow = async () => (await registrar.find()).map(({ name }) => name).sort();

  await add('One', 'a.example.com', app.token);
  assert.deepEqual(await namesNow(), ['One']);
  const before = await registrar.find();
  looked.length = 0;
  assert.equal(await registrar.find(), before, 'nothing has changed');
  assert.deepEqual(looked, []);

  // Nobody said anything: these are found when all are read again.
  await add('Two', 'a.example.com', app.token);
  await add('Theirs', 'b.example.com', app.otherToken);
  assert.equal(await registrar.find(), before);
  registrar.notice(app.accountId);
  assert.deepEqual(await namesNow(), ['One', 'Two']);
  registrar.notice('');
  assert.deepEqual(await namesNow(), ['One', 'Theirs', 'Two']);

  // Only the host that has no address is looked up again.
  looked.length = 0;
  await registrar.find();
  assert.deepEqual(looked, ['b.example.com']);
  known.set('b.example.com', ['192.0.2.2']);
  const theirs = (await registrar.find()).find(({ name }) => name === 'Theirs');
  assert.deepEqual(theirs?.addresses, ['192.0.2.2']);

  // One whose password cannot be read has no address to call, and nothing new about its host.
  await db.updateTable('sip_trunks').set({ password: 'sealed by another key' }).where('name', '=', 'One').execute();
  await app.call('PATCH', `/v2/sip-trunks/${before[0]!.uuid}/`, { weight: 7 });
  registrar.notice(app.accountId);
  const unreadable = await registrar.find();
  assert.deepEqual(unreadable.find(({ name }) => name === 'One')?.addresses, []);
  assert.equal(await registrar.find(), unreadable, 'nothing has changed');

  await db.deleteFrom('sip_trunks').where('account_id', '=', app.accountId).execute();
  registrar.notice(app.accountId);
  assert.deepEqual(await namesNow(), ['Theirs']);
});
