import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { until } from '../../../../test/kit/until.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../index.ts';
import { startWalArchive, walPosition } from './archive.ts';

describe('A WAL archive', { timeout: 600_000 }, () => {
  let directory: string;
  let server: EmbeddedPostgres;
  let client: pg.Client;
  const told: string[] = [];
  const inDirectory = (name: string) => path.join(directory, name);
  const start = () =>
    startWalArchive({
      connection: server.connection,
      directory: inDirectory('wal'),
      tell: (line) => void told.push(line),
    });
  const hasTold = (sentence: RegExp) => until(() => told.some((line) => sentence.test(line)));
  /** Ends the segment, which has something in it. */
  const fillSegment = async () => {
    await client.query('insert into notes values (1)');
    await client.query('select pg_switch_wal()');
  };
  const segments = (folder: string) =>
    readdir(inDirectory(`wal/${folder}`)).then(
      (names) => names.filter((name) => !name.endsWith('.partial')),
      () => [],
    );

  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-archive-'));
    const settings = { max_slot_wal_keep_size: '64MB', min_wal_size: '32MB', max_wal_size: '32MB', fsync: 'off' };
    server = await startEmbeddedPostgres({ directory: inDirectory('postgres'), progress: () => {}, settings });
    client = new pg.Client({ ...server.connection, ssl: false });
    await client.connect();
    await client.query('create table notes (number int)');
  });
  after(async () => {
    await client.end();
    await server.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  it('that cannot be written says so, and goes on when it can', async () => {
    const archive = await start();
    const { folder } = (await walPosition(server.connection))!;
    await fillSegment();
    await until(async () => (await segments(folder)).length > 0);
    await rm(inDirectory(`wal/${folder}`), { recursive: true });
    await writeFile(inDirectory(`wal/${folder}`), 'in the way');
    await fillSegment();
    await hasTold(/is not written at the moment: /);
    await rm(inDirectory(`wal/${folder}`));
    await hasTold(/is being written again/);
    await fillSegment();
    await until(async () => (await segments(folder)).length > 0);
    const stopped = archive.stop();
    await client.query('select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = $1', [
      folder,
    ]);
    await stopped;
  });

  it('that was away for longer than the server keeps WAL begins a new folder, and asks for a backup', async () => {
    const earlier = (await walPosition(server.connection))!.folder;
    for (let number = 0; number < 10; number++) await fillSegment();
    await client.query('checkpoint');
    const { rows } = await client.query('select wal_status from pg_replication_slots');
    assert.deepEqual(rows, [{ wal_status: 'lost' }]);
    assert.equal(await walPosition(server.connection), undefined);
    const archive = await start();
    assert.ok(told.some((line) => /has a gap.*Make a backup/.test(line)));
    const { folder } = (await walPosition(server.connection))!;
    assert.notEqual(folder, earlier);
    await fillSegment();
    await until(async () => (await segments(folder)).length > 0);
    assert.ok((await segments(earlier)).length > 0, 'what there was is still there');
    const stopped = archive.stop();
    await client.query('select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = $1', [
      folder,
    ]);
    await stopped;
  });
});
