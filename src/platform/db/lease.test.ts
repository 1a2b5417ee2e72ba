import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/kit/database.ts';
import { until } from '../../../test/kit/until.ts';
import { makeLog } from '../log.ts';
import { aliveText, type Listener, startListener } from './connect/listener.ts';
import { type Db, makeDb, makePool } from './connect/pool.ts';
import { graceMs, type Leases, makeLeases } from './lease.ts';

const log = makeLog({ level: 'silent', pretty: false });

/** A process, as far as the database can see. */
interface Holder extends Leases {
  listener: Listener;
  number: number;
  /** The keys of what is its. */
  leased(): Promise<string[]>;
}

describe('A lease', { timeout: 1_800_000 }, () => {
  let database: TestDatabase;
  let db: Db;
  let [one, other]: [Holder, Holder] = [] as never;
  let nowMs = 0;
  const listeners: Listener[] = [];

  before(async () => {
    database = await createTestDatabase();
    db = makeDb(makePool(database.connection, log));
    await sql`create table things (account_id uuid, thing uuid, owner integer, enabled boolean not null)`.execute(db);
  });
  after(async () => {
    await db.destroy();
    await database.drop();
  });
  beforeEach(async () => {
    [one, other] = [await start(), await start()];
  });
  afterEach(async () => {
    await Promise.all(listeners.splice(0).map((listener) => listener.close()));
    await sql`truncate things`.execute(db);
  });

  async function start(): Promise<Holder> {
    const listener = await startListener(database.connection, log);
    listeners.push(listener);
    const number = listener.workerNumber;
    const wanted = sql`enabled`;
    const leases = makeLeases({
      db,
      workerNumber: number,
      table: 'things',
      key: 'thing',
      wanted,
      most: 2,
      now: () => nowMs,
    });
    const leased = async () =>
      (await sql<{ thing: string }>`select thing from things where owner = ${number}`.execute(db)).rows.map(
        ({ thing }) => thing,
      );
    return { ...leases, listener, number, leased };
  }
  async function add(fields: { owner?: number; enabled?: boolean } = {}): Promise<string> {
    const thing = randomUUID();
    await sql`insert into things values (${randomUUID()}, ${thing}, ${fields.owner ?? null}, ${fields.enabled ?? true})`.execute(
      db,
    );
    return thing;
  }
  const isAlive = async ({ number }: { number: number }): Promise<boolean> => {
    const { rows } = await sql<{ worker: number }>`${sql.raw(aliveText)}`.execute(db);
    return rows.some(({ worker }) => worker === number);
  };

  it('is taken by one process at a time, a few at once, and what is not wanted by none', async () => {
    await Promise.all([add(), add(), add(), add(), add({ enabled: false })]);
    const [first, second] = await Promise.all([one.take(), other.take()]);
    assert.ok(first.isDisjointFrom(second), 'nothing is taken twice');
    assert.deepEqual(
      [[...first].toSorted(), [...second].toSorted()],
      [(await one.leased()).toSorted(), (await other.leased()).toSorted()],
    );
    while ((await one.take()).size > 0) await other.take();
    assert.equal((await one.leased()).length + (await other.leased()).length, 4);
  });

  it('stays with a holder that lives, and is taken from one that is gone when the grace is over', async () => {
    const thing = await add();
    await one.take();
    nowMs += 10 * graceMs;
    assert.equal((await other.take()).size, 0);
    await one.listener.close();
    await until(async () => !(await isAlive(one)));
    assert.equal((await other.take()).size, 0, 'the grace begins when it is first seen');
    nowMs += graceMs - 1;
    assert.equal((await other.take()).size, 0);
    nowMs += 1;
    assert.deepEqual([...(await other.take())], [thing]);
  });

  it('outlives the loss of a session that comes back: the next grace is a whole one', async () => {
    const number = 31_337;
    const thing = await add({ owner: number });
    const open = async (): Promise<pg.Client> => {
      const session = new pg.Client(database.connection);
      await session.connect();
      await session.query('select pg_advisory_lock(7265002, $1)', [number]);
      return session;
    };
    const lose = async (session: pg.Client): Promise<void> => {
      await session.end();
      await until(async () => !(await isAlive({ number })));
    };
    await lose(await open());
    assert.equal((await other.take()).size, 0);
    const again = await open();
    nowMs += graceMs;
    assert.equal((await other.take()).size, 0, 'its holder is back');
    await lose(again);
    nowMs += graceMs;
    assert.equal((await other.take()).size, 0, 'it is gone for the second time, and not for long');
    nowMs += graceMs;
    assert.deepEqual([...(await other.take())], [thing]);
  });

  it('is given back when it is not wanted any more, and altogether; then anybody may take it at once', async () => {
    const [kept, unwanted] = [await add(), await add()];
    await one.take();
    await sql`update things set enabled = false where thing = ${unwanted}`.execute(db);
    await one.giveBack('unwanted');
    assert.deepEqual(await one.leased(), [kept]);
    assert.equal((await other.take()).size, 0);
    await one.giveBack('all');
    assert.deepEqual([...(await other.take())], [kept]);
    await one.giveBack('all');
    assert.deepEqual(await other.leased(), [kept], 'others keep theirs');
  });

  it('that nobody wants any more is given back for a holder that is gone, and for none that lives', async () => {
    const things = [await add({ owner: 1, enabled: false }), await add({ owner: one.number, enabled: false })];
    await other.giveBack('unwanted');
    const { rows } = await sql<{ thing: string }>`select thing from things where owner is null`.execute(db);
    assert.deepEqual(rows, [{ thing: things[0] }]);
  });

  it('is not taken twice from the same dead holder', async () => {
    const thing = await add({ owner: 1 });
    await Promise.all([one.take(), other.take()]);
    nowMs += graceMs;
    const taken = await Promise.all([one.take(), other.take()]);
    assert.deepEqual(
      taken.flatMap((keys) => [...keys]),
      [thing],
    );
  });
});
