import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { anyCharacter } from '../../../test/kit/characters.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/kit/database.ts';
import { newId } from '../ids.ts';
import { byteaArray, jsonArray, longTextArray, parameterOf, uuidArray } from './arrays.ts';

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

test('any texts and numbers arrive as they were, and so does what is missing', async () => {
  const storable = fc.string({ unit: anyCharacter }).filter((text) => !text.includes('\0'));
  const texts = fc.array(fc.option(storable), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(texts, async (values) => {
      const { rows } = await client.query('select $1::text[] as them', [parameterOf(values)]);
      assert.deepEqual(rows[0].them, values);
      const whole = values.filter((value) => value !== null);
      const { rows: binary } = await client.query('select $1::text[] as them', [longTextArray(whole)]);
      assert.deepEqual(binary[0].them, whole);
    }),
    { numRuns: 200, examples: [[['a "b" \\ {c},\n\té 🏠', null, 'NULL', '', ' ']]] },
  );
  const { rows } = await client.query('select $1::float8[] as numbers, $2::boolean[] as answers, $3::text[] as none', [
    parameterOf([1, -2.5, 1e21, null]),
    parameterOf([true, false, null]),
    parameterOf([]),
  ]);
  assert.deepEqual(rows[0], { numbers: [1, -2.5, 1e21, null], answers: [true, false, null], none: [] });
});

test('what is no list of those is left to the driver', () => {
  const moments = [new Date()];
  assert.equal(parameterOf(moments), moments);
  assert.equal(parameterOf('{}'), '{}');
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

test('any bytes arrive as they were', async () => {
  const bytes = fc.array(fc.uint8Array(), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(bytes, async (values) => {
      const given = values.map((value) => Buffer.from(value));
      const { rows } = await client.query('select $1::bytea[] as them', [byteaArray(given)]);
      assert.deepEqual(rows[0].them, given);
    }),
    { numRuns: 100 },
  );
});
