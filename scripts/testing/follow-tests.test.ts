import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const followed = `
  import { followTestsByContext } from ${JSON.stringify(pathToFileURL(path.join(import.meta.dirname, 'follow-tests.ts')).href)};
  followTestsByContext();
  const { test } = await import('node:test');
  await test('the file', () => import('./inner.mjs'));
  await test('the next file', () => {});
`;
const inner = `
  import assert from 'node:assert/strict';
  import { setTimeout as sleep } from 'node:timers/promises';
  import { after, before, describe, it, test } from 'node:test';
  await sleep(1);
  const seen = [];
  before(() => void seen.push('before'));
  after(() => console.log('SEEN ' + seen));
  describe('a group', () => {
    it('waits', async () => {
      await sleep(5);
      seen.push('waited');
    });
    it('throws later', () => new Promise(() => setTimeout(() => { throw new Error('too late'); }, 5)));
    it('forgets a promise', async () => {
      Promise.reject(new Error('nobody cares'));
      await sleep(50);
    });
  });
  test('has a part', async (t) => {
    await sleep(1);
    await t.test('the part', () => void seen.push('part'));
    await test('a part without its context', () => assert.ok(true));
  });
`;

test('tests stand below the file that they are in, and what goes wrong in their own time is their failure', async (t) => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-follow-'));
  t.after(() => rm(directory, { recursive: true }));
  const file = path.join(directory, 'outer.mjs');
  await writeFile(file, followed);
  await writeFile(path.join(directory, 'inner.mjs'), inner);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, ['--test', '--test-reporter=tap', file], { env, timeout: 120_000 });
  const said = await text(child.stdout);
  const lines = said.split('\n').filter((line) => /^ *(not )?ok /.test(line));
  assert.deepEqual(
    lines.map((line) => line.replace(/ \d+ - /, ' ')),
    [
      '        ok waits',
      '        not ok throws later',
      '        not ok forgets a promise',
      '    not ok a group',
      '        ok the part',
      '        ok a part without its context',
      '    ok has a part',
      'not ok the file',
      'ok the next file',
    ],
    said,
  );
  assert.match(said, /SEEN before,waited,part/);
  assert.match(said, /too late/);
  assert.match(said, /nobody cares/);
});
