import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../../test/kit/database.ts';
import { until } from '../../../../test/kit/until.ts';
import { makeLog } from '../../log.ts';
import { type Listener, notify, startListener } from './listener.ts';
import { type Db, makeDb, makePool } from './pool.ts';

const log = makeLog({ level: 'silent', pretty: false });
let database: TestDatabase;
/** One that stays while the sessions of the database are cut. */
let outside: Db;
beforeEach(async () => {
  database = await createTestDatabase();
  outside = makeDb(makePool({ ...database.connection, database: 'postgres' }, log));
});
afterEach(async () => {
  await outside.destroy();
  await database.drop();
});

const cut = () =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database.connection.database}`.execute(
    outside,
  );
const allowConnections = (allowed: boolean) =>
  sql.raw(`alter database ${database.connection.database} allow_connections ${allowed}`).execute(outside);
async function sessions(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity
    where datname = ${database.connection.database} and application_name = 'parley'`.execute(outside);
  return rows[0]!.count;
}

describe('a database that goes away', () => {
  it('costs a transaction between two statements that transaction, and nothing else', async () => {
    const db = makeDb(makePool(database.connection, log));
    const broken = db.transaction().execute(async (db) => {
      await sql`select 1`.execute(db);
      await cut();
      await until('all are cut', async () => (await sessions()) === 0);
      await sql`select 1`.execute(db);
    });
    await assert.rejects(broken, /connection|terminat/i);
    assert.deepEqual((await sql`select 2 as two`.execute(db)).rows, [{ two: 2 }]);
    await db.destroy();
  });

  it('is listened to again by one session, however long it was away', async () => {
    const listener = await startListener(database.connection, log);
    const heard: string[] = [];
    listener.on('topic', (detail) => heard.push(detail));
    await allowConnections(false);
    await cut();
    // Long enough for a handful of attempts, each of which fails.
    await sleep(2000);
    await allowConnections(true);
    await until('it says that there was a gap', () => heard.includes(''));
    const db = makeDb(makePool(database.connection, log, { size: 1 }));
    await notify(db, 'topic', 'news');
    await until('notices come again', () => heard.includes('news'));
    await sleep(3000);
    assert.deepEqual([await sessions(), heard], [2, ['', 'news']], 'the listener, and this test');
    await listener.close();
    await db.destroy();
    await until('it lets go', async () => (await sessions()) === 0);
  });

  it('is not asked again after the end', async () => {
    const listener: Listener = await startListener(database.connection, log);
    await cut();
    await until('it is cut', async () => (await sessions()) === 0);
    await listener.close();
    await sleep(1000);
    assert.equal(await sessions(), 0);
  });

  it('does not let a listener begin, and that is told once', async () => {
    await allowConnections(false);
    await assert.rejects(startListener(database.connection, log), /not currently accepting connections/);
    await allowConnections(true);
    await sleep(1000);
    assert.equal(await sessions(), 0);
  });
});
