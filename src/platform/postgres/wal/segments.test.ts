import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after as afterAll, before, describe, it } from 'node:test';
import {
  after,
  listSegments,
  nameOf,
  openSegments,
  readPosition,
  resumeAt,
  segmentBytes,
  startOf,
  writePosition,
} from './segments.ts';

describe('WAL segments', () => {
  it('have the names that PostgreSQL gives them', () => {
    assert.equal(nameOf(1, readPosition('0/2000028')), '000000010000000000000002');
    assert.equal(nameOf(0x1a, readPosition('3/FF000000')), '0000001A00000003000000FF');
    assert.equal(after('0000001A00000003000000FF'), '0000001A0000000400000000');
    assert.equal(writePosition(startOf('0000001A0000000400000000')), '4/0');
  });
});

describe('A writer of WAL segments', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-wal-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));
  const second = segmentBytes * 2n;

  it('cuts the stream at the end of a segment, and goes on in the next', async () => {
    const writer = openSegments(directory, 1, second);
    await writer.write(second, Buffer.alloc(Number(segmentBytes) - 10, 1));
    await writer.write(second + segmentBytes - 10n, Buffer.alloc(30, 2));
    assert.equal(await writer.sync(), second + segmentBytes + 20n);
    await writer.close();
    const [whole, begun] = ['000000010000000000000002', '000000010000000000000003'];
    assert.deepEqual((await readdir(directory)).sort(), [whole, `${begun}.partial`]);
    assert.deepEqual(await listSegments(directory), { whole: [whole], begun });
    const { size, mode } = await stat(path.join(directory, whole));
    assert.deepEqual([size, mode & 0o777], [Number(segmentBytes), 0o600]);
  });

  it('begins the unfinished segment again without ever having less of it', async () => {
    const from = await resumeAt(directory, 1, second);
    assert.equal(from, second + segmentBytes);
    const writer = openSegments(directory, 1, from);
    await writer.write(from, Buffer.alloc(5, 2));
    await writer.close();
    const kept = await readFile(path.join(directory, '000000010000000000000003.partial'));
    assert.deepEqual(kept, Buffer.alloc(20, 2));
  });

  it('begins where the server keeps its WAL from, if that is later, or in another timeline', async () => {
    assert.equal(await resumeAt(directory, 1, segmentBytes * 9n + 7n), segmentBytes * 9n);
    assert.equal(await resumeAt(directory, 2, segmentBytes + 7n), segmentBytes);
    assert.equal(await resumeAt(path.join(directory, 'none'), 1, segmentBytes + 7n), segmentBytes);
  });

  it('refuses a stream with a gap, and takes no other file for a segment', async () => {
    await writeFile(path.join(directory, 'notes.txt'), '');
    const writer = openSegments(directory, 1, segmentBytes * 5n);
    await assert.rejects(writer.write(segmentBytes * 5n + 1n, Buffer.alloc(1)), /with a gap/);
    assert.deepEqual((await listSegments(directory)).whole, ['000000010000000000000002']);
  });
});
