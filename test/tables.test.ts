import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { findForeignWrites, findOpenWrites, findReadsUpward, readOwners, readTables } from './table-rules.ts';

const root = path.join(import.meta.dirname, '..');
const read = (name: string): Promise<string> => readFile(path.join(root, name), 'utf8');

it('docs/architecture.md lists every table of the schema, and no other', async () => {
  const owners = readOwners(await read('docs/architecture.md'));
  const tables = readTables(await read('docs/schema.sql'));
  assert.ok(tables.length > 50, 'the tables were found');
  assert.deepEqual([...owners.keys()].toSorted(), tables.toSorted());
  const folders = await Promise.all(
    [...new Set(owners.values())].map((owner) => readdir(path.join(root, 'src', owner))),
  );
  assert.ok(folders.every((names) => names.length > 0));
});

it('every table is written by its owner alone, and read by nobody below', async () => {
  const owners = readOwners(await read('docs/architecture.md'));
  const names = (await readdir(path.join(root, 'src'), { recursive: true })).filter(
    // Tests put a stage up as they like.
    (name) => /\.ts$/.test(name) && !/\.test\.ts$|db\/types\.ts$/.test(name),
  );
  const sources = await Promise.all(
    names.map(async (name) => [name.replaceAll(path.sep, '/'), await read(path.join('src', name))] as const),
  );
  assert.deepEqual(findOpenWrites(new Map(sources)), []);
  assert.deepEqual(findForeignWrites(new Map(sources), owners), []);
  assert.deepEqual(findReadsUpward(new Map(sources), owners), []);
});

describe('The table check', () => {
  const owners = readOwners(
    '| Tables | Owner | What |\n|---|---|---|\n| `users`, `tokens` | accounts | |\n| `keys` | platform/http | |\n\nmore | `x` | y |',
  );
  const offences = (file: string, source: string) => findForeignWrites(new Map([[file, source]]), owners);

  it('knows the owners', () => {
    assert.deepEqual(
      [...owners],
      [
        ['users', 'domains/accounts'],
        ['tokens', 'domains/accounts'],
        ['keys', 'platform/http'],
      ],
    );
  });

  it('finds whatever writes', () => {
    for (const source of [
      'insert into users (uuid) values (1)',
      'INSERT\n  INTO users as one',
      'update users set name = 1',
      'update only users as one\n set name = 1',
      'delete from users where true',
      'merge into users using',
      'truncate users',
      "db.insertInto('users')",
      "db.updateTable('users as one')",
      "db.deleteFrom('users')",
      "slowDown(deps.db, 'users', accountId, uuid, pauseMs)",
      "takeOffText('users', 'enabled')",
      "makeLeases({ db, workerNumber, table: 'users', key: 'uuid' })",
      "makeOutbox<Locked, Abandoned>({\n  name: 'people',\n  states: 'users',\n})",
      "tables: [\n  { name: 'others', key: 'uuid' },\n  { name: 'users', key: 'uuid' },\n]",
    ]) {
      assert.deepEqual(offences('domains/sms/queries.ts', source), [
        'domains/sms/queries.ts writes users, which domains/accounts owns',
      ]);
      assert.deepEqual(offences('domains/accounts/queries.ts', source), []);
    }
  });

  it('leaves alone what reads, and what is nobody’s', () => {
    for (const source of [
      'select * from users for update',
      "db.selectFrom('users')",
      'on conflict do update set users = 1',
      'insert into made select 1',
      "tables: [{ name: 'others', key: 'uuid' }], waiting: { listed: { name: 'users', key: 'uuid' } }",
      "takeAllowanceText('users', 'enabled')",
    ]) {
      assert.deepEqual(offences('domains/sms/queries.ts', source), [], source);
    }
    assert.deepEqual(offences('platform/http/keys.ts', 'delete from keys'), []);
    assert.deepEqual(offences('platform/db/keys.ts', 'delete from keys').length, 1);
  });

  it('finds a statement whose table is named elsewhere, in a file that is not known for it', () => {
    for (const source of [
      `update \${states} as state set ready = true`,
      `delete from \${sql.table(name)} where true`,
      'db.updateTable(table).set(change)',
    ]) {
      assert.equal(findOpenWrites(new Map([['domains/sms/queries.ts', source]])).length, 1, source);
      assert.deepEqual(findOpenWrites(new Map([['platform/db/rate.ts', source]])), []);
    }
    const closed = `insert into users select \${uuid};\ndb.deleteFrom('users');\nupdate\${noun};`;
    assert.deepEqual(findOpenWrites(new Map([['domains/sms/queries.ts', closed]])), []);
  });

  it('finds what reads a table of a higher floor', () => {
    const read = (file: string, source: string) => findReadsUpward(new Map([[file, source]]), owners);
    for (const source of ['select 1 from users', "db.selectFrom('users as one')", 'x join users using (uuid)']) {
      assert.deepEqual(read('platform/db/x.ts', source), [
        'platform/db/x.ts reads users, which domains/accounts owns, on a higher floor',
      ]);
      assert.deepEqual([...read('domains/sms/x.ts', source), ...read('retention.ts', source)], []);
    }
    assert.deepEqual(read('domains/accounts/x.ts', 'select 1 from keys'), []);
  });
});
