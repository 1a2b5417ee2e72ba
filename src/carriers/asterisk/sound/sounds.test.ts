import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { makeSoundCache } from './sounds.ts';

async function makeDirectory(t: { after(done: () => Promise<void>): void }): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sounds-'));
  t.after(() => rm(directory, { recursive: true }));
  return directory;
}

test('Asterisk › sounds are kept once under what they sound like, readable by others', async (t) => {
  const directory = await makeDirectory(t);
  const cache = makeSoundCache(join(directory, 'cache'), '');
  for (const name of ['a', 'b']) await writeFile(join(directory, name), Buffer.alloc(80, 5), { mode: 0o600 });
  const [first, second] = [await cache.mediaOf(join(directory, 'a')), await cache.mediaOf(join(directory, 'b'))];
  assert.equal(first, second);
  const [file, ...others] = await readdir(join(directory, 'cache'));
  assert.deepEqual(others, []);
  assert.equal(first, `sound:${join(directory, 'cache', basename(file!, '.ulaw'))}`);
  assert.equal((await stat(join(directory, 'cache', file!))).mode & 0o777, 0o644);
  assert.deepEqual(await readFile(join(directory, 'cache', file!)), Buffer.alloc(80, 5));
});

test('Asterisk › sounds are named as Asterisk reaches them: another path, or an address with the ending', async (t) => {
  const directory = await makeDirectory(t);
  await writeFile(join(directory, 'a'), 'sound');
  const mediaOf = (place: string) => makeSoundCache(join(directory, 'cache'), place).mediaOf(join(directory, 'a'));
  assert.match(await mediaOf('/mnt/sounds'), /^sound:\/mnt\/sounds\/[0-9a-f]{64}$/);
  assert.match(await mediaOf('http://10.0.0.2/sounds/'), /^sound:http:\/\/10\.0\.0\.2\/sounds\/[0-9a-f]{64}\.ulaw$/);
});

test('Asterisk › what was not played for a month is removed, what is played stays', async (t) => {
  const directory = await makeDirectory(t);
  const cache = makeSoundCache(join(directory, 'cache'), '');
  await cache.sweep();
  for (const name of ['a', 'b']) {
    await writeFile(join(directory, name), name);
    await cache.mediaOf(join(directory, name));
  }
  const old = new Date(Date.now() - 31 * 86_400_000);
  for (const name of await readdir(join(directory, 'cache'))) await utimes(join(directory, 'cache', name), old, old);
  const kept = await cache.mediaOf(join(directory, 'a'));
  await cache.sweep();
  assert.deepEqual(await readdir(join(directory, 'cache')), [`${basename(kept)}.ulaw`]);
});
