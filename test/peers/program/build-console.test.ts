import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';

const script = path.join(import.meta.dirname, '../../../scripts/build-console.ts');

it('the console is built whole, and not again while nothing changed', async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-build-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const out = path.join(folder, 'console');
  const build = async () => (await promisify(execFile)(process.execPath, [script, '--out', out])).stdout;

  assert.match(await build(), /Building the console… \d+\.\d s/);
  assert.deepEqual(await readdir(folder), ['console'], 'nothing is left lying about');
  const page = await readFile(path.join(out, 'index.html'), 'utf8');
  assert.match(page, /<base href="__BASE__"/);
  for (const [, file] of page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)) await readFile(path.join(out, file!));
  assert.doesNotMatch(
    page,
    /(?:src|href)="(https?:)?\//,
    'it knows neither another site nor the path it is served under',
  );

  assert.equal(await build(), '');
});
