import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { newId } from '../ids.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { jsonArray, uuidArray } from './arrays.ts';

let database: TestDatabase;
let client: pg.Client;
before(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
});
after(async () => {
  await client.end();
  await database.drop();
});

test('ids arrive as they were', async () => {
  const ids = [newId(), newId()];
  const { rows } = await client.query('select unnest($1::uuid[]) as id', [uuidArray(ids)]);
  assert.deepEqual(
    rows.map((row) => row.id),
    ids,
  );
});

test('any JSON arrives as it was: quotes, backslashes, braces, commas, line breaks, emoji', async () => {
  // What PostgreSQL cannot hold is refused before it gets here.
  const storable = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('\\u'));
  await fc.assert(
    fc.asyncProperty(fc.array(storable, { minLength: 1, maxLength: 5 }), async (values) => {
      const { rows } = await client.query('select unnest($1::json[]) as value', [jsonArray(values)]);
      assert.deepEqual(
        rows.map((row) => JSON.stringify(row.value)),
        values.map((value) => JSON.stringify(value)),
      );
    }),
    { numRuns: 200, examples: [[['a "b" \\ {c},\n\t\u00e9 🏠', null, { 'k"': [1, 'NULL'] }]]] },
  );
});
