import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/kit/database.ts';
import { type Listener, startListener } from '../db/connect/listener.ts';
import { type Db, makeDb, makePool } from '../db/connect/pool.ts';
import { makeLog } from '../log.ts';
import { makeQueue, type Task } from './queue.ts';

const log = makeLog({ level: 'silent', pretty: false });
let database: TestDatabase;
let db: Db;
let listener: Listener;
let pool: Pool;

before(async () => {
  database = await createTestDatabase();
  pool = makePool(database.connection, log);
  db = makeDb(pool);
  listener = await startListener(database.connection, log);
});
after(async () => {
  await listener.close();
  await db.destroy();
  await database.drop();
});

test('jobs run if their transaction commits, and never if it rolls back', async () => {
  const seen: number[] = [];
  const done = Promise.withResolvers<void>();
  const task: Task<null, { id: number }> = {
    name: 'test.commit',
    batchSize: 10,
    async handler(_deps, payloads) {
      seen.push(...payloads.map((payload) => payload.id));
      if (seen.includes(3)) done.resolve();
    },
  };
  const queue = makeQueue({ pool, listener, log });
  await queue.start([task as Task<null>], null, { work: true });
  await assert.rejects(
    db.transaction().execute(async (db) => {
      await queue.enqueue(db, 'test.commit', [{ id: 1 }]);
      throw new Error('changed my mind');
    }),
  );
  await db.transaction().execute((db) => queue.enqueue(db, 'test.commit', [{ id: 2 }, { id: 3 }]));
  await done.promise;
  await queue.stop();
  assert.deepEqual(seen.toSorted(), [2, 3]);
});

test('a job that fails stays, to be tried again', async () => {
  const tried = Promise.withResolvers<void>();
  const queue = makeQueue({ pool, listener, log });
  const task: Task<null> = {
    name: 'test.fail',
    batchSize: 1,
    async handler() {
      tried.resolve();
      throw new Error('not today');
    },
  };
  await queue.start([task], null, { work: true });
  await queue.enqueue(db, 'test.fail', [{ id: 1 }]);
  await tried.promise;
  await queue.stop();
  const { rows } = await sql<{ state: string }>`select state from pgboss.job where name = 'test.fail'`.execute(db);
  assert.deepEqual(
    rows.map((row) => row.state),
    ['retry'],
  );
});

test('two handlers of one name are refused at start', async () => {
  const queue = makeQueue({ pool, listener, log });
  const task: Task<null> = { name: 'test.twice', batchSize: 1, handler: async () => {} };
  await assert.rejects(queue.start([task, { ...task }], null, { work: true }), /Two handlers for the task test.twice/);
  await queue.stop();
});

test('work that is due later is done when it is due, also where nothing tells of it', async () => {
  const done = Promise.withResolvers<void>();
  const queue = makeQueue({ pool, listener, log });
  const task: Task<null> = { name: 'test.later', batchSize: 1, handler: async () => done.resolve() };
  await queue.start([task], null, { work: true });
  const startAfter = new Date(Date.now() + 1500);
  await queue.enqueue(db, 'test.later', [{ id: 1 }], { startAfter });
  await done.promise;
  assert.ok(Date.now() >= startAfter.getTime());
  await queue.stop();
});
