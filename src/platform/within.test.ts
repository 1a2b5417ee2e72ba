import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../test/kit/database.ts';
import { makeCaches } from './caches.ts';
import { type Listener, startListener } from './db/connect/listener.ts';
import { makeDb, makePool } from './db/connect/pool.ts';
import { newId } from './ids.ts';
import { makeLog } from './log.ts';
import { type Transactional, within } from './within.ts';
import { makeBatches } from './work/batches.ts';

let database: TestDatabase;
let listener: Listener;
let deps: Transactional;
let heard: string[];
before(async () => {
  database = await createTestDatabase();
  const log = makeLog({ level: 'silent', pretty: false });
  const db = makeDb(makePool(database.connection, log));
  await sql`create table places (name text primary key, visits integer not null)`.execute(db);
  listener = await startListener(database.connection, log);
  // What comes back from the database names no detail.
  listener.on('places', (detail) => void (detail !== '' && heard.push(detail)));
  deps = { db, listener, caches: makeCaches(listener), batches: makeBatches({ largest: 10, inFlight: 1 }) };
});
after(async () => {
  await listener.close();
  await deps.db.destroy();
  await database.drop();
});
let name: string;
beforeEach(() => {
  heard = [];
  name = newId();
});

/** A look-up as the domains have them. */
async function visitsOf({ db, caches }: Transactional): Promise<number | undefined> {
  const cache = caches.of<number>('places');
  const known = cache.get(name);
  if (known !== undefined) return known;
  const stamp = cache.stamp();
  const { rows } = await sql<{ visits: number }>`select visits from places where name = ${name}`.execute(db);
  if (rows[0]) cache.set(name, rows[0].visits, stamp);
  return rows[0]?.visits;
}
const put = ({ db }: Transactional, visits: number) =>
  sql`insert into places values (${name}, ${visits}) on conflict (name) do update set visits = ${visits}`.execute(db);
const rolledBack = new Error('rolled back');

describe('within a transaction', () => {
  it('that rolls back, what was looked up does not stay in the process, and nobody is told', async () => {
    const failing = within(deps, async (deps) => {
      await put(deps, 1);
      assert.equal(await visitsOf(deps), 1);
      deps.listener.signal('places', 'here');
      throw rolledBack;
    });
    await assert.rejects(failing, rolledBack);
    assert.equal(await visitsOf(deps), undefined);
    assert.deepEqual(heard, []);
  });

  it('that commits, what was looked up is known from then on, and notices leave with the commit', async () => {
    await within(deps, async (deps) => {
      await put(deps, 1);
      assert.equal(await visitsOf(deps), 1);
      for (const detail of ['here', 'here', 'there']) deps.listener.signal('places', detail);
      assert.deepEqual(heard, []);
    });
    assert.deepEqual(heard, ['here', 'there']);
    assert.equal(deps.caches.of<number>('places').get(name), 1);
  });

  it('what it has changed and forgotten is looked up afresh, there at once and everywhere after the commit', async () => {
    await put(deps, 1);
    await within(deps, async (inside) => {
      assert.equal(await visitsOf(inside), 1);
      await put(inside, 2);
      inside.caches.forget('places');
      assert.equal(await visitsOf(inside), 2);
      // Whoever looks now still finds the old answer, and would keep it for seconds.
      assert.equal(await visitsOf(deps), 1);
    });
    assert.equal(await visitsOf(deps), 2);
  });

  it('another one is the same: it ends with the outer one', async () => {
    const failing = within(deps, async (deps) => {
      await within(deps, async (deps) => {
        await put(deps, 1);
        await visitsOf(deps);
        deps.listener.signal('places', 'here');
      });
      assert.deepEqual(heard, []);
      throw rolledBack;
    });
    await assert.rejects(failing, rolledBack);
    assert.deepEqual([await visitsOf(deps), heard], [undefined, []]);
  });

  it('that is begun anew after a deadlock, notices leave once', async () => {
    let tries = 0;
    await within(deps, async (deps) => {
      deps.listener.signal('places', `try ${++tries}`);
      if (tries === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    });
    assert.deepEqual(heard, ['try 2']);
  });
});
