import assert from 'node:assert/strict';
import { it } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from './database.ts';

it('gives every caller a migrated database of its own', async () => {
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const client = new pg.Client(one.connection);
  const other = new pg.Client(two.connection);
  await Promise.all([client.connect(), other.connect()]);
  try {
    assert.notEqual((await client.query('select from schema_migrations')).rowCount, 0);
    await client.query('create table only_here ()');
    await assert.rejects(other.query('select from only_here'), { code: '42P01' });
  } finally {
    await Promise.all([client.end(), other.end()]);
    await Promise.all([one.drop(), two.drop()]);
  }
});

it('drops a database that is still in use', async () => {
  const database = await createTestDatabase();
  const client = new pg.Client(database.connection);
  client.on('error', () => {});
  await client.connect();
  await database.drop();
  await assert.rejects(client.query('select 1'));
  await assert.rejects(new pg.Client(database.connection).connect(), { code: '3D000' });
});

it('names the command when PostgreSQL was not started for the test run', async (t) => {
  const before = process.env['PARLEY_TEST_POSTGRES'];
  t.after(() => Object.assign(process.env, { PARLEY_TEST_POSTGRES: before }));
  delete process.env['PARLEY_TEST_POSTGRES'];
  await assert.rejects(createTestDatabase(), /node --test --test-global-setup=test\/kit\/global-setup\.ts/);
});
