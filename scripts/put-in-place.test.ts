import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { buildIfStale } from './put-in-place.ts';

it('what is built is whole, also where two come at once, and is built again only when something changed', async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-build-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const target = path.join(folder, 'things');
  const both = Promise.withResolvers<void>();
  let making = 0;
  const build = (stamp: string, waits = false) =>
    buildIfStale({
      name: 'things',
      target,
      stampName: 'built-from',
      stamp,
      async make(made) {
        await writeFile(path.join(made, 'first'), stamp);
        making += 1;
        if (making === 2) both.resolve();
        if (waits) await both.promise;
        await writeFile(path.join(made, 'second'), stamp);
      },
      atStart: false,
    });
  const read = (file: string) => readFile(path.join(target, file), 'utf8');

  assert.deepEqual(await Promise.all([build('old', true), build('old', true)]), [true, true]);
  assert.deepEqual(await readdir(folder), ['things'], 'nothing is left lying about');
  assert.deepEqual((await readdir(target)).toSorted(), ['built-from', 'first', 'second']);
  assert.equal(await build('old'), false);
  assert.equal(await build('new'), true);
  assert.deepEqual([await read('first'), await read('second')], ['new', 'new']);
});
