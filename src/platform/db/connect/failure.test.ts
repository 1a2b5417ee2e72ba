import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../../test/kit/database.ts';
import { makeLog } from '../../log.ts';
import { databaseTrouble, isDatabaseError, isOutcomeUnknown } from './failure.ts';
import { type Db, makeDb, makePool } from './pool.ts';

const log = makeLog({ level: 'silent', pretty: false });
let database: TestDatabase;
let db: Db;
let outside: Db;
before(async () => {
  database = await createTestDatabase();
  db = makeDb(makePool(database.connection, log));
  outside = makeDb(makePool({ ...database.connection, database: 'postgres' }, log));
  await sql`create table things (name text primary key)`.execute(db);
});
after(async () => {
  await db.destroy();
  await outside.destroy();
  await database.drop();
});

const failureOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => assert.fail('it must not succeed'),
    (error) => error,
  );
const judge = (error: Error) => [isDatabaseError(error), databaseTrouble(error), isOutcomeUnknown(error)];
const cutMe = sql`pg_terminate_backend(pg_backend_pid())`;

describe('a failure of the database', () => {
  it('is slow when a statement takes longer than it may, or waits too long for a lock', async () => {
    const limited = makeDb(makePool(database.connection, log, { limits: { statementMs: 200, lockMs: 50 } }));
    const endless = await failureOf(sql`select pg_sleep(3600)`.execute(limited));
    assert.deepEqual(judge(endless), [true, 'slow', false], String(endless));
    assert.equal((endless as Error & { code?: string }).code, '57014');
    await db.transaction().execute(async (holder) => {
      await sql`lock table things`.execute(holder);
      const locked = await failureOf(sql`select * from things`.execute(limited));
      assert.equal((locked as Error & { code?: string }).code, '55P03', String(locked));
    });
    await limited.destroy();
  });

  it('is away when the connection is cut, and an outcome is unknown only of what would have been committed', async () => {
    const read = await failureOf(sql`select ${cutMe}`.execute(db));
    assert.deepEqual(judge(read), [true, 'away', false], String(read));
    const write = await failureOf(
      sql`with cut as (select ${cutMe}) insert into things select 'one' from cut`.execute(db),
    );
    assert.deepEqual(judge(write), [true, 'away', true], String(write));
    const inside = db.transaction().execute(async (db) => {
      await sql`insert into things values ('two')`.execute(db);
      await sql`insert into things select 'three' from (select ${cutMe}) as cut`.execute(db);
    });
    const open = await failureOf(inside);
    assert.deepEqual(judge(open), [true, 'away', false], String(open));
  });

  it('is of unknown outcome at COMMIT, whatever the rollback says after that', async () => {
    await sql`create function cut() returns trigger language plpgsql as
      $$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); return null; end $$`.execute(db);
    await sql`create table fragile (name text)`.execute(db);
    await sql`create constraint trigger cut after insert on fragile deferrable initially deferred
      for each row execute function cut()`.execute(db);
    const commit = await failureOf(
      db.transaction().execute((db) => sql`insert into fragile values ('one')`.execute(db)),
    );
    assert.deepEqual(judge(commit), [true, 'away', true], String(commit));
  });

  it('is slow, full, crowded or away by its SQLSTATE, and no trouble if the statement is wrong', async () => {
    const fail = (code: string) =>
      failureOf(sql.raw(`do $$ begin raise exception 'no' using errcode = '${code}'; end $$`).execute(db));
    for (const [code, trouble] of [
      ['57014', 'slow'],
      ['55P03', 'slow'],
      ['40P01', 'slow'],
      ['53100', 'full'],
      ['53200', 'crowded'],
      ['53300', 'crowded'],
      ['57P03', 'away'],
      ['25006', 'away'],
      ['23505', undefined],
      ['22P02', undefined],
    ] as const)
      assert.deepEqual(judge(await fail(code)).slice(0, 2), [true, trouble], code);
  });

  it('is away when nothing listens, or the server takes nobody', async () => {
    const nobody = makeDb(makePool({ ...database.connection, host: '127.0.0.1', port: 1 }, log));
    assert.deepEqual(judge(await failureOf(sql`select 1`.execute(nobody))), [true, 'away', false]);
    await nobody.destroy();
    assert.equal(databaseTrouble(await failureOf(sql`select 1`.execute(nobody))), 'away');
  });

  it('is not what another server does', () => {
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    assert.deepEqual(judge(reset), [false, undefined, false]);
    assert.deepEqual(judge(new Error('Connection terminated unexpectedly')), [false, undefined, false]);
  });
});
