import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { citusUrl, createTestDatabase, type TestDatabase } from '../../../../test/kit/database.ts';
import { migrate } from '../migrate.ts';
import { distribute } from './distribute.ts';
import { homes } from './layout.ts';

const progress = (): void => {};

describe('parley distribute on a plain PostgreSQL', {
  skip: citusUrl ? 'CITUS_URL names a server with Citus' : false,
}, () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  it('says what is missing, and changes nothing', async () => {
    await assert.rejects(distribute(database.connection, { progress }), /has no Citus.*shared_preload_libraries/);
  });

  it('lists what each table would become, those that others refer to first', async () => {
    const plan = await distribute(database.connection, { progress, dryRun: true });
    assert.deepEqual(new Set(plan.map(({ table }) => table)), new Set(homes.keys()));
    const placeOf = (name: string): number => plan.findIndex(({ table }) => table === name);
    assert.ok(placeOf('accounts') < placeOf('tokens') && placeOf('users') < placeOf('tokens'));
    assert.ok(placeOf('agents') < placeOf('agent_skills'));
    assert.ok(plan.every(({ home, isThere }) => isThere === (home === 'local')));
  });
});

describe('parley distribute', { skip: citusUrl ? false : 'CITUS_URL names no server with Citus' }, () => {
  const name = `test_${randomBytes(8).toString('hex')}`;
  let admin: pg.Client;
  let client: pg.Client;
  let connection: TestDatabase['connection'];
  const account = randomUUID();
  before(async () => {
    const kit = await createTestDatabase();
    await kit.drop();
    admin = new pg.Client({ ...kit.connection, database: 'postgres' });
    await admin.connect();
    await admin.query(`create database ${name}`);
    connection = { ...kit.connection, database: name };
    await migrate(connection, { progress });
    client = new pg.Client(connection);
    await client.connect();
    await client.query("insert into accounts (uuid, name) values ($1, 'First')", [account]);
    await client.query(
      "insert into contacts (account_id, uuid, phone_number, digits) select $1, gen_random_uuid(), '+' || n, n from generate_series(1, 100) as n",
      [account],
    );
  });
  after(async () => {
    await client.end();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });

  const keys = async (): Promise<string[]> => {
    const { rows } = await client.query(
      `select conname from pg_constraint
      where contype = 'f' and conparentid = 0 and conrelid::regclass::text = any ($1::text[]) order by 1`,
      [[...homes.keys()]],
    );
    return rows.map(({ conname }) => conname);
  };

  it('puts every table into its place with its rows and foreign keys', async () => {
    const known = await keys();
    await distribute(connection, { progress });
    const { rows } = await client.query<{ name: string; method: string }>(
      'select logicalrelid::regclass::text as name, partmethod as method from pg_dist_partition',
    );
    const methods = new Map(rows.map(({ name, method }) => [name, method]));
    for (const [table, home] of homes) {
      assert.equal(methods.get(table), home === 'local' ? undefined : home === 'reference' ? 'n' : 'h', table);
    }
    assert.deepEqual((await client.query('select count(*)::int as count from contacts')).rows, [{ count: 100 }]);
    assert.deepEqual(
      await keys(),
      known.filter((key) => key !== 'agents_account_id_fallback_fkey'),
    );
    await assert.rejects(
      client.query("insert into lists (account_id, uuid, name) values (gen_random_uuid(), gen_random_uuid(), 'x')"),
      /violates foreign key/,
    );
  });

  it('changes nothing when it is run again, and places what is not in its place', async () => {
    const again = await distribute(connection, { progress });
    assert.ok(again.every(({ isThere }) => isThere));
    await client.query("select undistribute_table('tallies')");
    const third = await distribute(connection, { progress });
    assert.deepEqual(
      third.filter(({ isThere }) => !isThere).map(({ table }) => table),
      ['tallies'],
    );
    assert.ok((await distribute(connection, { progress })).every(({ isThere }) => isThere));
  });
});
