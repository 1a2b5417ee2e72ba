import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { bytes } from '../../../test/kit/files/file-guarantees.ts';
import { newId } from '../ids.ts';
import type { FileName, Files } from './files.ts';
import { moveFiles } from './move.ts';
import { makeFilesOnDisk } from './on-disk.ts';

let directory: string;
before(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'parley-move-'));
});
after(() => rm(directory, { recursive: true, force: true }));

const newPlace = (): Files => makeFilesOnDisk(path.join(directory, newId()));
const textOf = async (files: Files, name: FileName) =>
  Buffer.concat((await (await files.get(name))?.bytes.toArray()) ?? []).toString();

async function fill(files: Files, count: number): Promise<FileName[]> {
  const names = Array.from(
    { length: count },
    (_, n) => `${['media', 'recordings', 'job-results'][n % 3]}/${newId()}/${newId()}` as FileName,
  );
  for (const name of names) await files.put(name, bytes(name), 200);
  return names;
}

test('all files move, and each is whole where it went', async () => {
  const [from, to] = [newPlace(), newPlace()];
  const names = await fill(from, 20);
  const { moved, different } = await moveFiles(from, to);
  assert.deepEqual([moved, different], [20, []]);
  for (const name of names) assert.deepEqual([await textOf(to, name), await from.size(name)], [name, undefined]);
  assert.equal((await moveFiles(from, to)).moved, 0);
});

test('one that is interrupted loses nothing, and the next goes on', async () => {
  const [from, to] = [newPlace(), newPlace()];
  const names = await fill(from, 20);
  let puts = 0;
  const broken: Files = {
    ...to,
    async put(name, source, most) {
      if (++puts > 8) throw new Error('the cable was pulled');
      return to.put(name, source, most);
    },
  };
  await assert.rejects(moveFiles(from, broken), /the cable was pulled/);
  // Killed between the copy and the removal, one is in both.
  const [, copied] = names;
  await to.put(copied!, bytes(copied!), 200);
  for (const name of names) assert.ok((await from.size(name)) ?? (await to.size(name)), name);
  await moveFiles(from, to);
  for (const name of names) assert.deepEqual([await textOf(to, name), await from.size(name)], [name, undefined]);
});

test('what arrives with other bytes stays where it was, and one that is there with other bytes is not replaced', async () => {
  const [from, to] = [newPlace(), newPlace()];
  const [name] = await fill(from, 1);
  const lossy: Files = { ...to, put: (wanted, _, most) => to.put(wanted, bytes('half'), most) };
  await assert.rejects(moveFiles(from, lossy), /did not arrive as it was/);
  assert.equal(await textOf(from, name!), name);
  assert.deepEqual((await moveFiles(from, to)).different, [name]);
  assert.deepEqual([await textOf(from, name!), await textOf(to, name!)], [name, 'half']);
});
