// What is done before a server starts; the whole journey is in test/peers/program/point-in-time.test.ts.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { addArchivedWal, ReplayError, replayWal } from './replay.ts';
import { segmentBytes } from './segments.ts';

describe('Archived WAL', () => {
  const made: string[] = [];
  let pgdata: string;
  let folder: string;
  beforeEach(async () => {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-replay-'));
    made.push(directory);
    [pgdata, folder] = [path.join(directory, 'pgdata'), path.join(directory, 'folder')];
    await mkdir(path.join(pgdata, 'pg_wal'), { recursive: true });
    await mkdir(folder);
  });
  after(() => Promise.all(made.map((directory) => rm(directory, { recursive: true, force: true }))));
  const segment = (number: number, timeline = 1) =>
    `0000000${timeline}00000000000000${String(number).padStart(2, '0')}`;
  const archive = (...names: string[]) => Promise.all(names.map((name) => writeFile(path.join(folder, name), name)));
  const backUp = (...names: string[]) =>
    Promise.all(names.map((name) => writeFile(path.join(pgdata, 'pg_wal', name), 'of the backup')));

  it('after the backup is copied at its whole length, the unfinished segment as well; nothing else is', async () => {
    await backUp(segment(2), segment(3));
    await archive(segment(1), segment(3), segment(4), `${segment(5)}.partial`, segment(4, 2), 'notes');
    assert.deepEqual(await addArchivedWal(pgdata, folder), { segments: 2, gap: undefined });
    const there = (await readdir(path.join(pgdata, 'pg_wal'))).sort();
    assert.deepEqual(
      there,
      [2, 3, 4, 5].map((number) => segment(number)),
    );
    const last = path.join(pgdata, 'pg_wal', segment(5));
    assert.equal((await stat(last)).size, Number(segmentBytes));
    assert.ok((await readFile(last, 'utf8')).startsWith(`${segment(5)}.partial`));
    assert.equal(await readFile(path.join(pgdata, 'pg_wal', segment(3)), 'utf8'), 'of the backup');
  });

  it('is used up to a gap, and the end of it is not taken for the latest moment', async () => {
    await backUp(segment(2));
    await archive(segment(3), segment(5));
    const { segments, gap } = await addArchivedWal(pgdata, folder);
    assert.deepEqual([segments, gap], [1, segment(4)]);
    const latest = replayWal({ directory: path.dirname(pgdata), at: undefined, gap, tell: () => {} });
    await assert.rejects(
      latest,
      new ReplayError(`The archive lacks ${segment(4)}. Put it back, or use --at with a moment before it.`),
    );
  });

  it('is refused for a backup without WAL of its own', async () => {
    await assert.rejects(addArchivedWal(pgdata, folder), ReplayError);
  });
});
