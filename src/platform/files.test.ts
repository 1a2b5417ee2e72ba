import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { type FileName, type Files, FileTooLarge, makeFiles } from './files.ts';
import { newId } from './ids.ts';

let directory: string;
let files: Files;
before(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'parley-files-'));
  files = makeFiles(directory);
});
after(() => rm(directory, { recursive: true, force: true }));

const bytes = async function* (...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
};
const newName = (): FileName => `media/${newId()}/${newId()}`;
const temporary = () => readdir(path.join(directory, 'tmp'));

test('a file is received, put in its place, read, replaced and deleted', async () => {
  const name = newName();
  assert.equal(await files.read(name), undefined);
  const { path: first, size, sha256 } = await files.receive(bytes('Hel', 'lo'), 5);
  assert.equal(size, 5);
  assert.equal(sha256, '185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969');
  await files.adopt(first, name);
  assert.deepEqual(await (await files.read(name))!.toArray(), [Buffer.from('Hello')]);
  await files.adopt((await files.receive(bytes('Bye'), 5)).path, name);
  assert.deepEqual(await (await files.read(name))!.toArray(), [Buffer.from('Bye')]);
  await files.delete(name);
  await files.delete(name);
  assert.equal(await files.read(name), undefined);
  assert.deepEqual(await temporary(), []);
});

test('one that is too large or breaks off leaves nothing behind', async () => {
  await assert.rejects(files.receive(bytes('Hel', 'lo'), 4), FileTooLarge);
  const broken = async function* () {
    yield Buffer.from('x');
    throw new Error('line dropped');
  };
  await assert.rejects(files.receive(broken(), 100), /line dropped/);
  assert.deepEqual(await temporary(), []);
});

test('many that are too large at once leave nothing behind, though their files were still being opened', async () => {
  for (let round = 0; round < 20; round++) {
    await Promise.allSettled(Array.from({ length: 50 }, () => files.receive(bytes('Hello'), 4)));
    assert.deepEqual(await temporary(), []);
  }
});

test('no name leads out of the directory', async () => {
  const id = newId();
  for (const name of [
    '../../etc/passwd',
    `media/../${id}`,
    `media/${id}/..`,
    `/etc/${id}`,
    `media/${id}/${id}/x`,
    'a/b/c',
  ]) {
    assert.throws(() => files.path(name as FileName), /is not the name of a file/);
    await assert.rejects(async () => files.delete(name as FileName), /is not the name of a file/);
  }
});

test('only old files of a folder are listed, and only those that are ours', async () => {
  const name = newName();
  await files.adopt((await files.receive(bytes('x'), 1)).path, name);
  const listed = async (moment: Date) => (await Array.fromAsync(files.olderThan('media', moment))).includes(name);
  assert.equal(await listed(new Date(Date.now() - 60_000)), false);
  assert.equal(await listed(new Date(Date.now() + 60_000)), true);
  assert.deepEqual(await Array.fromAsync(files.olderThan('nowhere', new Date())), []);
});
