// What is told without a server; the whole journey is in test/peers/program/backup.test.ts.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, it, mock } from 'node:test';
import { createTestDatabase, onlyPlain, type TestDatabase } from '../../../test/kit/database.ts';
import { type Description, formatNumber, isSafeName } from '../../platform/backup/contents.ts';
import { openBackup } from '../../platform/backup/write.ts';
import { run } from '../run.ts';

const sound: Description = {
  product: 'parley',
  format: formatNumber,
  version: '9.0.0',
  created: '2026-01-01T00:00:00.000Z',
  database: { kind: 'embedded', postgres: 18, migration: 1 },
  platform: `${process.platform}-${process.arch}`,
  files: 'copied',
  has_secret_key: true,
};

describe('parley backup and restore', () => {
  let directory: string;
  let database: TestDatabase;
  let made = 0;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());
  beforeEach(async (t) => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-backup-'));
    (t as { after(done: () => Promise<void>): void }).after?.(() => rm(directory, { recursive: true, force: true }));
  });

  async function parley(args: string[], env: Record<string, string> = {}) {
    const said: string[] = [];
    const mocks = (['log', 'error'] as const).map((way) =>
      mock.method(console, way, (line: string) => void said.push(line)),
    );
    const code = await run(['node', 'parley', ...args], env).finally(() => {
      for (const one of mocks) one.mock.restore();
    });
    return { code, said: said.join('\n') };
  }
  /** A backup of that description with one file in it. */
  async function backupOf(change: Partial<Description>): Promise<string> {
    const file = path.join(directory, `backup-${++made}`);
    const writer = await openBackup(file, { ...sound, ...change });
    await writer.addText('secret-key', 'x');
    await writer.finish();
    return file;
  }
  const restore = (file: string, env: Record<string, string> = {}) =>
    parley(['restore', file, '--data-dir', path.join(directory, 'target')], env);

  it('refuses another format, a newer schema, another PostgreSQL and another platform, each in a sentence', async () => {
    const cases: [Partial<Description>, RegExp][] = [
      [{ format: 2 }, /made by Parley 9\.0\.0 in format 2; this version reads format 1\.$/],
      [{ database: { kind: 'embedded', postgres: 18, migration: 9999 } }, /Parley 9\.0\.0, which is newer/],
      [
        { database: { kind: 'embedded', postgres: 12, migration: 1 } },
        /made with PostgreSQL 12, and this Parley brings/,
      ],
      [{ platform: 'aix-ppc64' }, /made on aix-ppc64; its database cannot be read on/],
      [{ database: { kind: 'dump', postgres: 16, migration: 1 } }, /Set DATABASE_URL to an empty one/],
    ];
    for (const [change, sentence] of cases) {
      const { code, said } = await restore(await backupOf(change));
      assert.equal(code, 1, said);
      assert.match(said, sentence);
      assert.deepEqual(await readdir(path.join(directory, 'target')), []);
    }
  });

  it('refuses to put a dump over a database that holds something, and an embedded one into DATABASE_URL', async () => {
    const env = { DATABASE_URL: database.url };
    const dump = await backupOf({ database: { kind: 'dump', postgres: 16, migration: 1 } });
    assert.match((await restore(dump, env)).said, /holds data of Parley already/);
    assert.match((await restore(await backupOf({}), env)).said, /cannot go into the one of DATABASE_URL/);
  });

  it('finds what is missing in a backup whose checksums fit', async () => {
    const { code, said } = await parley(['backup', 'verify', await backupOf({})]);
    assert.deepEqual([code, /pg_control.* is missing\.$/.test(said)], [1, true]);
  });

  it(
    'says so where there is no database, and where pg_dump is needed and missing; nothing is left behind',
    onlyPlain,
    async () => {
      const file = path.join(directory, 'new');
      const none = await parley(['backup', file], { DATA_DIR: path.join(directory, 'nowhere') });
      assert.deepEqual([none.code, /There is no database in .*nowhere\. Set DATA_DIR/.test(none.said)], [2, true]);
      const own = await parley(['backup', file], { DATABASE_URL: database.url, DATA_DIR: directory, PATH: directory });
      assert.deepEqual([own.code, /^pg_dump is not on this machine\. Install/.test(own.said)], [1, true]);
      await writeFile(path.join(directory, 'taken'), '');
      const taken = await parley(['backup', path.join(directory, 'taken')]);
      assert.deepEqual([taken.code, /is there already/.test(taken.said)], [2, true]);
      assert.deepEqual(await readdir(directory), ['taken']);
    },
  );

  it('takes no name from a backup that leads elsewhere', () => {
    assert.deepEqual(['a/b', 'a/..b', '../a', 'a/../b', '/a', 'a//b', './a', 'a/.', 'a\\b', ''].map(isSafeName), [
      true,
      true,
      false,
      false,
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
