import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { makeBadRows } from './bad-rows.ts';

let directory: string;
before(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'parley-bad-rows-'));
});
after(() => rm(directory, { recursive: true, force: true }));

test('the file of bad rows holds nothing that a spreadsheet would run; phone numbers stay as they are', async () => {
  const file = path.join(directory, 'errors.csv');
  const rows = makeBadRows({ file, isQuiet: true, clear() {} });
  rows.add({ line: 2, number: '=HYPERLINK("http://x","y")', error: '@SUM(A1)' });
  rows.add({ line: 3, number: '+35315250124', error: 'capabilities: "FAX" is not a valid choice.' });
  await rows.end();
  assert.deepEqual((await readFile(file, 'utf8')).split('\r\n'), [
    'line,number,error',
    `2,"'=HYPERLINK(""http://x"",""y"")",'@SUM(A1)`,
    '3,+35315250124,"capabilities: ""FAX"" is not a valid choice."',
    '',
  ]);
});
