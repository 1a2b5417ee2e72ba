import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { makeSoundShelf } from './sounds.ts';

async function makeDirectory(t: { after(done: () => Promise<void>): void }): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'shelf-'));
  t.after(() => rm(directory, { recursive: true }));
  return directory;
}

test('Asterisk › sounds are kept once under what they sound like, readable by others', async (t) => {
  const directory = await makeDirectory(t);
  const shelf = makeSoundShelf(join(directory, 'shelf'), '');
  for (const name of ['a', 'b']) await writeFile(join(directory, name), Buffer.alloc(80, 5), { mode: 0o600 });
  const [first, second] = [await shelf.mediaOf(join(directory, 'a')), await shelf.mediaOf(join(directory, 'b'))];
  assert.equal(first, second);
  const [file, ...others] = await readdir(join(directory, 'shelf'));
  assert.deepEqual(others, []);
  assert.equal(first, `sound:${join(directory, 'shelf', basename(file!, '.ulaw'))}`);
  assert.equal((await stat(join(directory, 'shelf', file!))).mode & 0o777, 0o644);
  assert.deepEqual(await readFile(join(directory, 'shelf', file!)), Buffer.alloc(80, 5));
});

test('Asterisk › sounds are named as Asterisk reaches them: another path, or an address with the ending', async (t) => {
  const directory = await makeDirectory(t);
  await writeFile(join(directory, 'a'), 'sound');
  const mediaOf = (place: string) => makeSoundShelf(join(directory, 'shelf'), place).mediaOf(join(directory, 'a'));
  assert.match(await mediaOf('/mnt/sounds'), /^sound:\/mnt\/sounds\/[0-9a-f]{64}$/);
  assert.match(await mediaOf('http://10.0.0.2/sounds/'), /^sound:http:\/\/10\.0\.0\.2\/sounds\/[0-9a-f]{64}\.ulaw$/);
});

test('Asterisk › what was not played for a month is removed, what is played stays', async (t) => {
  const directory = await makeDirectory(t);
  const shelf = makeSoundShelf(join(directory, 'shelf'), '');
  await shelf.sweep();
  for (const name of ['a', 'b']) {
    await writeFile(join(directory, name), name);
    await shelf.mediaOf(join(directory, name));
  }
  const old = new Date(Date.now() - 31 * 86_400_000);
  for (const name of await readdir(join(directory, 'shelf'))) await utimes(join(directory, 'shelf', name), old, old);
  const kept = await shelf.mediaOf(join(directory, 'a'));
  await shelf.sweep();
  assert.deepEqual(await readdir(join(directory, 'shelf')), [`${basename(kept)}.ulaw`]);
});
