import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { type FileName, type Files, FileTooLarge, removeOrphans } from '../../../src/platform/files/files.ts';
import { newId } from '../../../src/platform/ids.ts';

export const bytes = async function* (...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
};
/** What the copy on this machine has, which is let go. */
async function readLocal(files: Files, name: FileName): Promise<string> {
  const path = await files.local(name);
  try {
    return await readFile(path, 'utf8');
  } finally {
    await files.release(name, path);
  }
}

export const newName = (): FileName => `media/${newId()}/${newId()}`;

/** What holds of files wherever they are. */
export function testFiles(opened: () => { files: Files; directory: string }): void {
  const temporary = () => readdir(path.join(opened().directory, 'tmp'));

  test('a file is received, put in its place, read, replaced and deleted', async () => {
    const { files } = opened();
    const name = newName();
    assert.deepEqual([await files.get(name), await files.size(name)], [undefined, undefined]);
    const { path: first, size, sha256 } = await files.receive(bytes('Hel', 'lo'), 5);
    assert.equal(size, 5);
    assert.equal(sha256, '185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969');
    await files.adopt(first, name);
    const stored = await files.get(name);
    assert.deepEqual([stored?.size, await stored?.bytes.toArray()], [5, [Buffer.from('Hello')]]);
    const part = await files.get(name, { start: 1, end: 3 });
    assert.deepEqual([part?.size, await part?.bytes.toArray()], [5, [Buffer.from('ell')]]);
    assert.deepEqual((await files.put(name, bytes('Bye'), 5)).size, 3);
    assert.deepEqual([await files.size(name), await readLocal(files, name)], [3, 'Bye']);
    await files.delete(name);
    await files.delete(name);
    assert.equal(await files.get(name), undefined);
    assert.deepEqual(await temporary(), []);
  });

  test('one that is too large or breaks off leaves nothing behind', async () => {
    const { files } = opened();
    await assert.rejects(files.receive(bytes('Hel', 'lo'), 4), FileTooLarge);
    const broken = async function* () {
      yield Buffer.from('x');
      throw new Error('line dropped');
    };
    await assert.rejects(files.receive(broken(), 100), /line dropped/);
    assert.deepEqual(await temporary(), []);
  });

  test('many that are too large at once leave nothing behind, though their files were still being opened', async () => {
    const { files } = opened();
    for (let round = 0; round < 20; round++) {
      await Promise.allSettled(Array.from({ length: 50 }, () => files.receive(bytes('Hello'), 4)));
      assert.deepEqual(await temporary(), []);
    }
  });

  test('no name leads out of the directory', async () => {
    const { files } = opened();
    const id = newId();
    for (const name of [
      '../../etc/passwd',
      `media/../${id}`,
      `media/${id}/..`,
      `/etc/${id}`,
      `media/${id}/${id}/x`,
      'a/b/c',
    ]) {
      for (const use of [files.local, files.draft, files.get, files.size, files.delete]) {
        await assert.rejects(use(name as FileName), /is not the name of a file/);
      }
    }
  });

  test('a draft is written by somebody else, found again, and adopted when it is whole', async () => {
    const { files } = opened();
    const name = newName();
    await writeFile(await files.draft(name), 'half');
    assert.equal(await readFile(await files.draft(name), 'utf8'), 'half');
    await writeFile(await files.draft(name), 'whole');
    await files.adopt(await files.draft(name), name);
    assert.equal(await files.size(name), 5);
  });

  test('files of a folder that are old and belong to nothing are removed, and no others', async () => {
    const { files } = opened();
    const names = [newName(), newName()];
    for (const name of names) await files.put(name, bytes('x'), 1);
    const [known] = names.map((name) => name.split('/')[2]!);
    const asked: string[] = [];
    const sweep = (before: Date) =>
      removeOrphans(files, {
        folder: 'media',
        before,
        findKnown: async (some) => {
          asked.push(...some.map(({ uuid }) => uuid));
          return new Set([known!]);
        },
      });
    await sweep(new Date(Date.now() - 60_000));
    assert.equal(asked.length, 0);
    await sweep(new Date(Date.now() + 60_000));
    assert.ok(asked.includes(known!));
    assert.deepEqual([await files.size(names[0]!), await files.size(names[1]!)], [1, undefined]);
    assert.deepEqual(await Array.fromAsync(files.list('nowhere')), []);
  });

  test('all files of an account are deleted, and no other', async () => {
    const { files } = opened();
    const [account, other] = [newId(), newId()];
    const own: FileName[] = [
      `media/${account}/${newId()}`,
      `recordings/${account}/${newId()}`,
      `media/${account}/${newId()}`,
    ];
    const foreign: FileName = `media/${other}/${newId()}`;
    for (const name of [...own, foreign]) await files.put(name, bytes('x'), 1);
    assert.equal(await files.deleteOf(account), 3);
    for (const name of own) assert.equal(await files.size(name), undefined);
    assert.equal(await files.size(foreign), 1);
    assert.equal(await files.deleteOf(account), 0);
  });

  test('an empty file, and a large one in parts', async () => {
    const { files } = opened();
    const empty = newName();
    await files.put(empty, bytes(), 10);
    const stored = await files.get(empty);
    assert.deepEqual([stored?.size, await stored?.bytes.toArray()], [0, []]);
    const large = newName();
    const text = 'abcdefghij'.repeat(100_000);
    await files.put(large, bytes(text), text.length);
    const read = async (range?: { start: number; end?: number }) =>
      Buffer.concat((await (await files.get(large, range))?.bytes.toArray()) ?? []).toString();
    assert.equal(await read(), text);
    assert.equal(await read({ start: 999_995 }), 'fghij');
    assert.equal(await read({ start: 5, end: 500_000 }), text.slice(5, 500_001));
    assert.equal(await readLocal(files, large), text);
  });

  test('a file that nobody has cannot be opened', async () => {
    const { files } = opened();
    await assert.rejects(readFile(await files.local(newName())), { code: 'ENOENT' });
  });
}
