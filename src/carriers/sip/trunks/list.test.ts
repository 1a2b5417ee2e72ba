import assert from 'node:assert/strict';
import { after, afterEach, before, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { newId } from '../../../platform/ids.ts';
import type { TrunkChange } from './admission.ts';
import { makeTrunkList } from './list.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());
afterEach(() => app.deps.db.deleteFrom('sip_trunks').execute());

it('reads again the trunks of accounts that have changed, and all of them when anything may have', async () => {
  const { db, log, vault } = app.deps;
  const looked: string[] = [];
  const known = new Map([['a.example.com', ['192.0.2.1']]]);
  const trunks = makeTrunkList({
    ...{ db, log, vault },
    async addresses(host) {
      looked.push(host);
      const found = known.get(host) ?? [];
      return { addresses: found, problem: found.length > 0 ? '' : `${host} has no address.` };
    },
  });
  const add = async (name: string, host: string, token: string) => {
    const made = await app.call('POST', '/v2/sip-trunks/', { name, host }, { token });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.uuid as string;
  };
  /** What went and came, by name. */
  const change = async () => {
    const { gone, come } = await trunks.read();
    return [gone.map(({ name }) => name), come.map(({ name }) => name)];
  };
  const nothing = [[], []];
  const named = (name: string) => trunks.ofAccount(app.accountId).find((trunk) => trunk.name === name)!;

  const one = await add('One', 'a.example.com', app.token);
  assert.deepEqual(await change(), [[], ['One']]);
  looked.length = 0;
  assert.deepEqual(await change(), nothing);
  assert.deepEqual(looked, []);

  // Nobody said anything: these are found when all are read again.
  await add('Two', 'a.example.com', app.token);
  const theirs = await add('Theirs', 'b.example.com', app.otherToken);
  assert.deepEqual(await change(), nothing);
  trunks.notice(app.accountId);
  assert.deepEqual(await change(), [['One'], ['One', 'Two']], 'all of the account, in their order');
  looked.length = 0;
  trunks.notice('');
  assert.deepEqual(await change(), [[], ['Theirs']]);
  assert.equal(trunks.size(), 3);
  assert.equal(looked.length, 3);

  // Of another account nothing is looked up, compared or told.
  const before = named('One');
  looked.length = 0;
  known.set('b.example.com', ['192.0.2.2']);
  await app.call('PATCH', `/v2/sip-trunks/${theirs}/`, { weight: 3 }, { token: app.otherToken });
  trunks.notice(trunks.get(theirs)!.accountId);
  assert.deepEqual(await change(), [['Theirs'], ['Theirs']]);
  assert.deepEqual(new Set(looked), new Set(['b.example.com']));
  assert.equal(named('One'), before);

  // Only a host that has no address is looked up again, until it has one.
  await add('Three', 'c.example.com', app.token);
  trunks.notice(app.accountId);
  await change();
  looked.length = 0;
  assert.deepEqual(await change(), nothing);
  assert.deepEqual(looked, ['c.example.com']);
  known.set('c.example.com', ['192.0.2.3']);
  assert.deepEqual(await change(), [
    ['One', 'Two', 'Three'],
    ['One', 'Two', 'Three'],
  ]);
  assert.deepEqual(named('Three').addresses, ['192.0.2.3']);
  assert.deepEqual(await change(), nothing);

  // One whose password cannot be read has no address to call, and nothing new about its host.
  await db.updateTable('sip_trunks').set({ password: 'sealed by another key' }).where('uuid', '=', one).execute();
  await app.call('PATCH', `/v2/sip-trunks/${one}/`, { weight: 7 });
  trunks.notice(app.accountId);
  await change();
  assert.deepEqual(named('One').addresses, []);
  assert.deepEqual(await change(), nothing);

  await db.deleteFrom('sip_trunks').where('account_id', '=', app.accountId).execute();
  trunks.notice(app.accountId);
  assert.deepEqual(await change(), [['One', 'Two', 'Three'], []]);
  assert.deepEqual([trunks.size(), trunks.get(one), trunks.ofAccount(app.accountId)], [1, undefined, []]);
});

it('reads all of them again in turn, a few at a time, whatever was not told', async () => {
  const { db, log, vault } = app.deps;
  const moved = new Map<string, string>();
  const addresses = async (host: string) => ({ addresses: [moved.get(host) ?? host], problem: '' });
  const trunks = makeTrunkList({ db, log, vault, addresses }, { roundMs: 0, most: 2 });
  const accountIds = [app.accountId, ...(await makeAccounts(6))];
  // One account has more than are read at a time.
  for (const [index, account_id] of accountIds.entries()) {
    for (let number = 0; number <= (index === 3 ? 4 : 0); number++) {
      await db
        .insertInto('sip_trunks')
        .values({ account_id, uuid: newId(), name: `${index} ${number}`, host: `192.0.2.${index}` })
        .execute();
    }
  }
  assert.equal((await trunks.read()).come.length, 11);
  /** What becomes known while all are read once, by name. */
  const inOneRound = async () => {
    const changes: TrunkChange[] = [];
    for (let step = 0; step < 12; step++) changes.push(await trunks.read());
    const names = (which: 'gone' | 'come') => changes.flatMap((change) => change[which].map(({ name }) => name)).sort();
    return [names('gone'), names('come')];
  };
  assert.deepEqual(await inOneRound(), [[], []]);

  await db.deleteFrom('sip_trunks').where('account_id', '=', accountIds[5]!).execute();
  await db.deleteFrom('sip_trunks').where('name', '=', '3 4').execute();
  await db
    .insertInto('sip_trunks')
    .values({ account_id: accountIds[1]!, uuid: newId(), name: '1 1', host: '192.0.2.1' })
    .execute();
  moved.set('192.0.2.6', '192.0.2.66');
  assert.deepEqual(await inOneRound(), [
    ['1 0', '3 0', '3 1', '3 2', '3 3', '3 4', '5 0', '6 0'],
    ['1 0', '1 1', '3 0', '3 1', '3 2', '3 3', '6 0'],
  ]);
  assert.equal(trunks.size(), 10);
  assert.deepEqual(trunks.ofAccount(accountIds[6]!)[0]!.addresses, ['192.0.2.66']);
  assert.deepEqual(await inOneRound(), [[], []]);

  await db.deleteFrom('sip_trunks').execute();
  await inOneRound();
  assert.equal(trunks.size(), 0);
});

async function makeAccounts(count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, index) => ({ uuid: newId(), name: `Account ${index}` }));
  await app.deps.db.insertInto('accounts').values(rows).execute();
  return rows.map(({ uuid }) => uuid);
}
