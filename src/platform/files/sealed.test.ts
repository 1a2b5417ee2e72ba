import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { newName, testFiles } from '../../../test/kit/files/file-guarantees.ts';
import { type Content, makeContent } from '../content/content.ts';
import type { FileName } from './files.ts';
import { makeFilesOnDisk } from './on-disk.ts';
import { makeSealedFiles, type SealedFiles } from './sealed.ts';
import { chunkBytes } from './sealed-format.ts';

let directory: string;
let files: SealedFiles;
let isOn = true;
before(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'parley-sealed-'));
  const content = makeContent();
  const keys = { seal: new Map([[7, randomBytes(32)]]), current: 7, digest: undefined, first: 0 };
  content.learnKeys(() => keys);
  const everybody: Content = { ...content, isOn: () => isOn, isKnown: () => true };
  files = makeSealedFiles(makeFilesOnDisk(directory), everybody);
});
after(() => rm(directory, { recursive: true, force: true }));

testFiles(() => ({ files, directory }));

const whole = async function* (bytes: Buffer) {
  // In pieces that fit no chunk.
  for (let start = 0; start < bytes.length; start += 10_007) yield bytes.subarray(start, start + 10_007);
};
const read = async (name: FileName, range?: { start: number; end?: number }): Promise<Buffer> =>
  Buffer.concat((await (await files.get(name, range))?.bytes.toArray()) ?? []);
const store = async (size: number): Promise<{ name: FileName; bytes: Buffer }> => {
  const bytes = randomBytes(size);
  const name = newName();
  await files.put(name, whole(bytes), size);
  return { name, bytes };
};

describe('An encrypted file', () => {
  it('is read whole and by every range around the ends of its chunks', async () => {
    for (const size of [0, 1, chunkBytes - 1, chunkBytes, chunkBytes + 1, 2 * chunkBytes, 2 * chunkBytes + 5]) {
      const { name, bytes } = await store(size);
      assert.deepEqual([await files.size(name), (await read(name)).equals(bytes)], [size, true], `${size}`);
      assert.equal((await stat(path.join(directory, name))).size > size, true);
      const ends = [0, 1, chunkBytes - 1, chunkBytes, chunkBytes + 1, size - 2, size - 1];
      for (const start of ends.filter((end) => end >= 0 && end < size))
        for (const end of [undefined, ...ends.filter((end) => end >= start && end < size)]) {
          const part = await read(name, { start, ...(end !== undefined && { end }) });
          assert.ok(part.equals(bytes.subarray(start, (end ?? size - 1) + 1)), `${size}: ${start} to ${end}`);
        }
    }
  });

  it('that was changed, cut or put in the place of another is refused', async () => {
    const { name, bytes } = await store(2 * chunkBytes + 5);
    const place = path.join(directory, name);
    const stored = await readFile(place);
    assert.ok(!stored.includes(bytes.subarray(0, 16)));
    for (const at of [30, 100, chunkBytes + 200, stored.length - 1]) {
      const turned = Buffer.from(stored);
      turned[at]! ^= 1;
      await writeFile(place, turned);
      await assert.rejects(read(name), `turned at ${at}`);
    }
    await writeFile(place, stored.subarray(0, 44 + chunkBytes + 16));
    await assert.rejects(read(name), 'cut at the end of a chunk');
    const foreign = newName();
    await files.put(foreign, whole(stored), stored.length);
    assert.ok((await read(foreign)).equals(stored), "another account's is bytes like others");
  });

  it('is brought along in both directions, and found again by whoever writes a draft', async () => {
    isOn = false;
    const { name, bytes } = await store(chunkBytes + 3);
    assert.ok((await readFile(path.join(directory, name))).equals(bytes));
    isOn = true;
    assert.deepEqual([await files.bringAlong(name), await files.bringAlong(name)], [true, false]);
    assert.ok(!(await readFile(path.join(directory, name))).includes(bytes.subarray(0, 16)));
    assert.ok((await read(name)).equals(bytes));
    const copy = await files.local(name);
    assert.ok((await readFile(copy)).equals(bytes));
    await files.release(name, copy);
    await assert.rejects(readFile(copy), { code: 'ENOENT' });
    assert.ok((await readFile(await files.draft(name))).equals(bytes), 'a draft is in clear');
    await files.adopt(await files.draft(name), name);
    isOn = false;
    assert.equal(await files.bringAlong(name), true);
    assert.ok((await readFile(path.join(directory, name))).equals(bytes));
    isOn = true;
    assert.deepEqual(await readdir(path.join(directory, 'tmp')), []);
  });
});
