import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createTestDatabase, type TestDatabase } from '../../../../test/kit/database.ts';
import { DatabaseClient, markPrepared } from './client.ts';

let database: TestDatabase;
let client: DatabaseClient;
before(async () => {
  database = await createTestDatabase();
  client = new DatabaseClient(database.connection);
  await client.connect();
});
after(async () => {
  await client.end();
  await database.drop();
});

setFlagsFromString('--expose-gc');
const collect: (options: { type: 'minor' | 'major' }) => void = runInNewContext('gc');

const text = 'select octet_length($1::bytea) as bytes';
const count = 100;
const bytesEach = 200_000;

it('lets go of the values of a statement once it is answered, without a collection of the whole heap', async () => {
  collect({ type: 'major' });
  const before = process.memoryUsage().arrayBuffers;
  for (let index = 0; index < count; index++) {
    const { rows } = await client.query(markPrepared('test.bytes', text), [Buffer.alloc(bytesEach)]);
    assert.equal(rows[0].bytes, bytesEach);
    collect({ type: 'minor' });
  }
  collect({ type: 'minor' });
  const kept = process.memoryUsage().arrayBuffers - before;
  assert.ok(kept < (count * bytesEach) / 4, `${kept} bytes are kept`);
});

it('passes a callback on', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  client.query('select 1 as one', (_error: unknown, result: unknown) => resolve(result));
  assert.deepEqual(((await promise) as { rows: unknown[] }).rows, [{ one: 1 }]);
});

it('fails with an error that leads back to who asked', async () => {
  async function asker() {
    await client.query(markPrepared('test.fails', 'select no_such_column'), []);
  }
  await assert.rejects(asker, ({ stack, message }: Error) => {
    assert.match(message, /no_such_column/);
    assert.match(stack ?? '', /asker/);
    return true;
  });
});
