import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../test/kit/database.ts';
import { migrate, readMigrations } from './migrate.ts';

const quiet = { progress: () => {} };

async function withDatabase(work: (client: pg.Client, connection: Parameters<typeof migrate>[0]) => Promise<void>) {
  const database = await createTestDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    await work(client, database.connection);
  } finally {
    await client.end();
    await database.drop();
  }
}

test('migrating an up-to-date database changes nothing and says nothing', () =>
  withDatabase(async (client, connection) => {
    const lines: string[] = [];
    await migrate(connection, { progress: (line) => lines.push(line) });
    assert.deepEqual(lines, []);
    const { rows } = await client.query('select version from schema_migrations order by version');
    assert.deepEqual(
      rows.map((row) => row.version),
      (await readMigrations()).map((file) => file.version),
    );
  }));

test('several processes may migrate an empty database at once', () =>
  withDatabase(async (client, connection) => {
    await client.query('drop schema public cascade; create schema public');
    await Promise.all([1, 2, 3, 4].map(() => migrate(connection, quiet)));
    const { rows } = await client.query('select count(*)::int as count from schema_migrations');
    assert.equal(rows[0].count, (await readMigrations()).length);
  }));

test('a database newer than the code is refused with one sentence', () =>
  withDatabase(async (client, connection) => {
    await client.query("insert into schema_migrations (version, name, checksum) values (9999, '9999_future.sql', 'x')");
    await assert.rejects(migrate(connection, quiet), {
      name: 'StartError',
      message: /newer than this Parley.*9999_future/,
    });
  }));

test('a migration changed after it was applied is refused with one sentence', () =>
  withDatabase(async (client, connection) => {
    await client.query("update schema_migrations set checksum = 'x' where version = 1");
    await assert.rejects(migrate(connection, quiet), { name: 'StartError', message: /0001_.*was changed/ });
  }));

test('partitions are made once each, month by month', () =>
  withDatabase(async (client) => {
    const make = async () =>
      (await client.query("select ensure_partitions('events', now() + interval '5 months') as made")).rows[0].made;
    assert.equal(await make(), 2);
    assert.equal(await make(), 0);
  }));
