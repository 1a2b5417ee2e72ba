import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { until } from '../../../test/kit/until.ts';
import { StartError } from '../errors.ts';
import { makeLog } from '../log.ts';
import { type KeyedVault, makeVault } from '../secrets.ts';
import { listDataKeys } from './data-keys.ts';
import { openVault } from './open-vault.ts';
import { readKeyStatus, rotate } from './rotate.ts';

const old = 'a key for tests';
const log = makeLog({ level: 'silent', pretty: false });

describe('A rotation', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
  });
  after(() => app.close());
  const open = (...keys: string[]) => openVault(app.deps.db, keys, { isChanged: false, log });
  const makeHook = (key: string) =>
    app.call(
      'POST',
      '/v2/webhooks/',
      { url: 'https://example.com/hook', events: ['*'] },
      { headers: { 'idempotency-key': key } },
    );
  const stored = () => app.deps.db.selectFrom('webhook_endpoints').select(['uuid', 'secret']).execute();

  it('of a database of an earlier version keeps what it had readable and its digests the same', async () => {
    const { db } = app.deps;
    await db.deleteFrom('data_keys').execute();
    const before = makeVault(old);
    (app.deps.vault as KeyedVault).use({ seal: new Map(), current: undefined, digest: undefined, first: 0 });
    const made = await makeHook('one');
    assert.equal(made.status, 201);
    assert.match((await stored())[0]!.secret!, /^v1:/);
    const vault = await open('new', old);
    assert.equal(vault.digest('person'), before.digest('person'));
    assert.match(vault.seal('x'), /^v1:/, 'readable by processes that have the old key alone');
    assert.equal(before.open(vault.seal('x')), 'x');
    const rotated = await rotate(db, vault, { learnSeconds: 0 });
    assert.equal(rotated.unreadable, 0);
    assert.ok(rotated.resealed >= 2, 'the secret and the answer');
    assert.match((await stored())[0]!.secret!, new RegExp(`^v2:${rotated.data_key}:`));
    assert.equal(vault.digest('person'), before.digest('person'));
    // The running server has the old key alone: it learns nothing new, and what it knew before is of no use to it.
    const alone = await open('new');
    assert.equal(alone.open((await stored())[0]!.secret!), made.body.secret);
    assert.deepEqual((await readKeyStatus(db, alone)).ring.length, 1);
    await assert.rejects(open(old), (error: Error) => {
      assert.ok(error instanceof StartError);
      assert.match(error.message, /^SECRET_KEY is not the one .*Missing is the key with the id [0-9a-f]{8}/);
      return true;
    });
    await rotate(db, await open(old, 'new'), { learnSeconds: 0 });
  });

  it('reaches a running process without a restart, which reads both what was and what comes', async () => {
    const { db, vault } = app.deps;
    const first = await makeHook('two');
    const rotated = await rotate(db, await open(old), { learnSeconds: 0 });
    await until('the process has the new data key', () => vault.seal('x').startsWith(`v2:${rotated.data_key}:`));
    const again = await makeHook('two');
    assert.deepEqual([again.status, again.body], [201, first.body]);
    assert.equal(again.headers['idempotent-replayed'], 'true');
    assert.equal((await makeHook('three')).status, 201);
    const status = await readKeyStatus(db, await open(old));
    assert.equal(status.without_data_key, 0);
    const others = status.data_keys.filter(({ purpose, number }) => purpose === 'seal' && number !== rotated.data_key);
    assert.ok(others.length > 0 && others.every(({ values }) => values === 0), JSON.stringify(others));
    assert.deepEqual([status.missing, status.lacking], [[], []]);
  });

  it('with the data key kept only wraps, and the old key is not needed any more', async () => {
    const { db } = app.deps;
    const before = await listDataKeys(db);
    const { resealed } = await rotate(db, await open('newest', old), { keepDataKey: true });
    assert.equal(resealed, 0);
    const after = await listDataKeys(db);
    assert.deepEqual(
      after.map(({ number }) => number),
      before.map(({ number }) => number),
    );
    const status = await readKeyStatus(db, await open('newest', old));
    assert.deepEqual(
      status.ring.map(({ is_needed }) => is_needed),
      [true, false],
    );
    assert.equal(status.lacking.length, 1, 'the running process has the old key alone');
    // It knew the data keys before, and goes on.
    assert.equal((await makeHook('four')).status, 201);
  });

  it('leaves alone what no key opens, and says how much that is', async () => {
    const { db } = app.deps;
    const { uuid } = (await stored())[0]!;
    const sealed = makeVault('a third key').seal('lost');
    await db.updateTable('webhook_endpoints').set({ secret: sealed }).where('uuid', '=', uuid).execute();
    const { unreadable } = await rotate(db, await open('newest'), { learnSeconds: 0 });
    assert.equal(unreadable, 1);
    assert.equal((await stored()).find((one) => one.uuid === uuid)!.secret, sealed);
  });
});
