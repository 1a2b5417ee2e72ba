import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../test/kit/database.ts';
import { makeLog } from '../log.ts';
import { type Db, inTransaction, makeDb, makePool } from './connect/pool.ts';

let database: TestDatabase;
let db: Db;
before(async () => {
  database = await createTestDatabase();
  db = makeDb(makePool(database.connection, makeLog({ level: 'silent', pretty: false })));
  await sql`create table places (name text primary key, visits integer not null default 0)`.execute(db);
  await sql`insert into places (name) values ('here'), ('there')`.execute(db);
});
after(async () => {
  await db.destroy();
  await database.drop();
});

test('two transactions that wait for each other are both carried out, each once', async () => {
  const met = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let begun = 0;
  const visit = (first: string, second: string, mine: number) =>
    inTransaction(db, async (db) => {
      begun++;
      await sql`update places set visits = visits + 1 where name = ${first}`.execute(db);
      met[mine]!.resolve();
      await met[1 - mine]!.promise;
      await sql`update places set visits = visits + 1 where name = ${second}`.execute(db);
    });
  await Promise.all([visit('here', 'there', 0), visit('there', 'here', 1)]);
  const { rows } = await sql<{ visits: number }>`select visits from places`.execute(db);
  assert.deepEqual(
    rows.map(({ visits }) => visits),
    [2, 2],
  );
  assert.ok(begun > 2, 'one of them began anew');
});
