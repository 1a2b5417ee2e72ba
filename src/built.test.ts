import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bundleOf, entryUrl, sourcesStamp, stampName } from './built.ts';

let root: string;
const write = async (name: string, text: string): Promise<void> => {
  await mkdir(path.join(root, path.dirname(name)), { recursive: true });
  await writeFile(path.join(root, name), text);
};
const entry = (): string => path.relative(root, fileURLToPath(entryUrl('serve', root)));

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'parley built '));
  for (const name of ['package-lock.json', 'scripts/bundle.ts', 'src/serve.ts', 'src/platform/a.ts']) {
    await write(name, 'as it was');
  }
});
afterEach(() => rm(root, { recursive: true, force: true }));

test('the sources are run while there is no bundle, and the bundle once it was made from them', async () => {
  assert.equal(entry(), path.join('src', 'serve.ts'));
  await write(path.join('.server', stampName), sourcesStamp(root));
  assert.equal(entry(), path.join(path.relative(root, bundleOf(root)), 'serve.js'));
});

for (const [what, change] of [
  ['a changed source', () => write('src/platform/a.ts', 'as it is now')],
  ['a new source', () => write('src/platform/b.ts', '')],
  ['a source that is gone', () => rm(path.join(root, 'src/platform/a.ts'))],
  ['another lockfile', () => write('package-lock.json', 'another')],
] as const) {
  test(`after ${what} the sources are run again`, async () => {
    await write(path.join('.server', stampName), sourcesStamp(root));
    await change();
    assert.equal(entry(), path.join('src', 'serve.ts'));
  });
}

test('a changed test does not matter', async () => {
  await write('src/platform/a.test.ts', 'as it was');
  await write(path.join('.server', stampName), sourcesStamp(root));
  await write('src/platform/a.test.ts', 'as it is now');
  assert.equal(entry(), path.join('.server', 'serve.js'));
});
