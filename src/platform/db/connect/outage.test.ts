import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../../test/kit/database.ts';
import { until } from '../../../../test/kit/until.ts';
import { makeLog } from '../../log.ts';
import { databaseTrouble } from './failure.ts';
import { type Listener, notify, startListener } from './listener.ts';
import { type Db, makeDb, makePool, prepared } from './pool.ts';

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
      await until('all are cut', sessions, (count) => count === 0);
      await sql`select 1`.execute(db);
    });
    await assert.rejects(broken, (error) => databaseTrouble(error) === 'away');
    assert.deepEqual((await sql`select 2 as two`.execute(db)).rows, [{ two: 2 }]);
    await db.destroy();
  });

  it('whose table is changed below a prepared statement fails it once, as what may be tried again', async () => {
    const db = makeDb(makePool(database.connection, log, { size: 1 }));
    const read = prepared<object>('test.read', 'select * from changing');
    await sql`create table changing (one text)`.execute(db);
    await read(db, []);
    await sql`alter table changing add column two text`.execute(db);
    await assert.rejects(read(db, []), (error) => databaseTrouble(error) === 'slow');
    assert.deepEqual(await read(db, []), []);
    await db.destroy();
  });

  it('is listened to again by one session, however long and however often it was away', async (t) => {
    const { listener, heard } = await listen();
    const failed = t.mock.method(log, 'warn');
    for (const news of ['one', 'two']) {
      await allowConnections(false);
      await cut();
      failed.mock.resetCalls();
      // The pauses grow up to a second: whoever still tried after the first time has come back before the second is over.
      await until('a handful of attempts have failed', () => failed.mock.callCount() >= 5);
      await allowConnections(true);
      await until('it says that there was a gap', () => heard.at(-1) === '');
      const db = makeDb(makePool(database.connection, log, { size: 1 }));
      await notify(db, 'topic', news);
      await until('notices come again', () => heard.includes(news));
      await db.destroy();
    }
    assert.deepEqual(heard, ['', 'one', '', 'two']);
    await until('only the listener is left', sessions, (count) => count === 1);
    await listener.close();
    await until('it lets go', sessions, (count) => count === 0);
  });

  it('is not asked again after the end', async () => {
    const [ended, other] = [await listen(), await listen()];
    await allowConnections(false);
    await cut();
    await until('both are cut', sessions, (count) => count === 0);
    await ended.listener.close();
    await allowConnections(true);
    await until('the other is back', () => other.heard.length === 1);
    await comesBackAlone(other);
    assert.deepEqual(ended.heard, []);
  });

  it('does not let a listener begin, and that is told once', async () => {
    await allowConnections(false);
    await assert.rejects(startListener(database.connection, log), /not currently accepting connections/);
    await allowConnections(true);
    await comesBackAlone(await listen());
  });

  async function listen(): Promise<{ listener: Listener; heard: string[] }> {
    const listener = await startListener(database.connection, log);
    const heard: string[] = [];
    listener.on('topic', (detail) => heard.push(detail));
    return { listener, heard };
  }

  /** Cut once more, it is there again, and whoever would have come back by then is not. */
  async function comesBackAlone({ listener, heard }: Awaited<ReturnType<typeof listen>>): Promise<void> {
    const before = heard.length;
    await cut();
    await until('it is back', () => heard.length > before);
    assert.equal(await sessions(), 1);
    await listener.close();
  }
});
