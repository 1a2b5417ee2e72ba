import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { test } from 'node:test';
import pg from 'pg';
import { createTestDatabase, onlyPlain } from '../../../test/kit/database.ts';
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

test('a server that is starting up is waited for; one that is not there is not', onlyPlain, () =>
  withDatabase(async (_, connection) => {
    const { host, port, ...rest } = connection as { host: string; port: number } & typeof connection;
    let callers = 0;
    const door = net.createServer((caller) => {
      const isFirst = ++callers === 1;
      caller.on('error', () => {});
      if (isFirst) caller.once('data', () => caller.end(startingUp()));
      else caller.pipe(net.connect(`${host}/.s.PGSQL.${port}`)).pipe(caller);
    });
    await once(door.listen(0, '127.0.0.1'), 'listening');
    const atDoor = { ...rest, host: '127.0.0.1', port: (door.address() as AddressInfo).port };
    const lines: string[] = [];
    await migrate(atDoor, { progress: (line) => lines.push(line) });
    assert.deepEqual(lines, ['Waiting for the database (the database system is starting up)…']);
    assert.equal(callers, 2);
    await new Promise((resolve) => door.close(resolve));
    await assert.rejects(migrate(atDoor, quiet), { name: 'StartError', message: /cannot be reached .*ECONNREFUSED/ });
  }),
);

/** What a server answers that has not finished starting: an ErrorResponse of the protocol. */
function startingUp(): Buffer {
  const fields = Buffer.from('SFATAL\0C57P03\0Mthe database system is starting up\0\0');
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

test('several processes may migrate an empty database at once', onlyPlain, () =>
  withDatabase(async (client, connection) => {
    await client.query('drop schema public cascade; create schema public');
    await Promise.all([1, 2, 3, 4].map(() => migrate(connection, quiet)));
    const { rows } = await client.query('select count(*)::int as count from schema_migrations');
    assert.equal(rows[0].count, (await readMigrations()).length);
  }),
);

test('a table that somebody reads is waited for, and nobody else has to wait for it meanwhile', () =>
  withDatabase(async (client, connection) => {
    const text = 'alter table accounts add column one_more text';
    const files = [...(await readMigrations()), { version: 9000, name: '9000_more.sql', text, checksum: 'x' }];
    const other = new pg.Client(connection);
    await other.connect();
    const waiting = Promise.withResolvers<void>();
    await client.query('begin; select from accounts');
    const migrated = migrate(connection, { files, progress: (line) => /^Waiting/.test(line) && waiting.resolve() });
    await Promise.race([waiting.promise, migrated]);
    // Between two tries, or when the next one has been given up: not when the first reader is through.
    assert.equal((await other.query('select from accounts')).rowCount, 0);
    await client.query('commit');
    await migrated;
    await other.query('select one_more from accounts');
    await other.end();
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
