import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../test/kit/database.ts';
import { homes, loosened, omittedKeys, tables } from './layout.ts';

const place = 'src/platform/db/distribute/layout.ts';

describe('where tables are in a distributed database', () => {
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

  it('every table of the schema has one home', async () => {
    const schema = await readFile(new URL('../../../../docs/schema.sql', import.meta.url), 'utf8');
    const known = [...schema.matchAll(/^create (?:unlogged )?table (\w+)/gm)].map(([, name]) => name!);
    assert.ok(known.length > 80, 'the tables were found');
    for (const name of known) assert.ok(homes.has(name), `The table ${name} has no home: name it in ${place}.`);
    for (const name of homes.keys()) {
      assert.ok(
        name === 'schema_migrations' || known.includes(name),
        `There is no table ${name}: take it out of ${place}.`,
      );
    }
    const all = Object.values(tables).flat();
    assert.deepEqual(all.toSorted(), [...new Set(all)].toSorted());
  });

  it('the keys of tables in shards begin with what they are spread by, or are said to be loosened', async () => {
    const { rows } = await client.query<{ table: string; index: string; columns: string[] }>(`
      select relname as table, indexrelid::regclass::text as index,
        array(select attname from unnest(indkey) as key join pg_attribute on attrelid = indrelid and attnum = key)::text[] as columns
      from pg_index join pg_class on pg_class.oid = indrelid
      where indisunique and not relispartition and relnamespace = 'public'::regnamespace`);
    const spread = rows.filter(({ table }) => ['account', 'shortcode'].includes(homes.get(table) ?? ''));
    assert.ok(spread.length > 70, 'the keys were found');
    for (const { table, index, columns } of spread) {
      const column = homes.get(table) === 'account' ? 'account_id' : 'shortcode';
      assert.ok(
        columns.includes(column) || loosened.includes(index),
        `${index} is unique without ${column}, which a table in shards cannot have: give ${table} another home in ${place}.`,
      );
    }
  });

  it('foreign keys lead from shard to shard by the account, or to tables that are everywhere', async () => {
    const { rows } = await client.query<{ name: string; from: string; to: string; definition: string; sets: boolean }>(`
      select conname as name, conrelid::regclass::text as "from", confrelid::regclass::text as "to",
        pg_get_constraintdef(oid) as definition, confdeltype in ('n', 'd') as sets
      from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace`);
    assert.ok(rows.length > 50, 'the keys were found');
    for (const { name, from, to, definition, sets } of rows) {
      // Those of a distributed database are there again for each shard.
      if (omittedKeys.includes(name) || !homes.has(from)) continue;
      const [here, there] = [homes.get(from), homes.get(to)];
      assert.ok(
        there === 'reference' || (here === 'account' && there === 'account' && /KEY \(account_id\b/.test(definition)),
        `${name} leads from ${from} (${here}) to ${to} (${there}), which Citus does not hold.`,
      );
      assert.ok(here !== 'local', `${name}: a table on the coordinator has no foreign keys.`);
      assert.ok(there !== 'account' || !sets, `${name} sets columns when rows go: add it to omittedKeys in ${place}.`);
    }
  });
});
