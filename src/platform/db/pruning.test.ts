import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/kit/database.ts';
import { makeLog } from '../log.ts';
import { type Database, openDatabase } from './connect/database.ts';
import type { Db } from './connect/pool.ts';
import { settlePooled } from './migrate.ts';

let own: TestDatabase;
let database: Database;
before(async () => {
  own = await createTestDatabase();
  const limits = { statementMs: 60_000, lockMs: 60_000 };
  database = openDatabase(own.connection, makeLog({ level: 'silent', pretty: false }), limits);
});
after(async () => {
  await database?.close();
  await own?.drop();
});

const settingsText = `select current_setting('enable_partition_pruning') as pruning, current_setting('enable_incremental_sort') as sorting`;
const settingsOf = async (db: Db) => (await sql.raw(settingsText).execute(db)).rows[0];

test('background work reads all partitions and does not sort piece by piece; requests may do either', async () => {
  assert.deepEqual(await settingsOf(database.background), { pruning: 'off', sorting: 'off' });
  assert.deepEqual(await settingsOf(database.api), { pruning: 'on', sorting: 'on' });
});

test('behind a pooler the role has both settings, however many hosts start at once', async () => {
  const pooled = { connectionString: own.url, isPooled: true, direct: { connectionString: own.url } };
  await Promise.all([settlePooled(pooled), settlePooled(pooled), settlePooled(pooled)]);
  const client = new pg.Client(own.url);
  await client.connect();
  const { rows } = await client.query(settingsText);
  await client.end();
  assert.deepEqual(rows, [{ pruning: 'off', sorting: 'off' }]);
});
