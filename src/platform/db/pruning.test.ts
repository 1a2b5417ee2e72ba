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

async function settingOf(db: Db): Promise<string> {
  const { rows } = await sql<{ enable_partition_pruning: string }>`show enable_partition_pruning`.execute(db);
  return rows[0]!.enable_partition_pruning;
}

test('background work reads all partitions, and requests choose them', async () => {
  assert.equal(await settingOf(database.background), 'off');
  assert.equal(await settingOf(database.api), 'on');
});

test('behind a pooler the role has the setting, however many hosts start at once', async () => {
  const pooled = { connectionString: own.url, isPooled: true, direct: { connectionString: own.url } };
  await Promise.all([settlePooled(pooled), settlePooled(pooled), settlePooled(pooled)]);
  const client = new pg.Client(own.url);
  await client.connect();
  const { rows } = await client.query('show enable_partition_pruning');
  await client.end();
  assert.equal(rows[0].enable_partition_pruning, 'off');
});
