import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, it, test } from 'node:test';
import { columnsOf, makeBadRows, readNumber } from './number-rows.ts';

it('columns are found by the names that carriers use', () => {
  const columns = columnsOf(['Comment', 'MSISDN', 'Country Code', 'area_code', 'Capabilities', 'Carrier']);
  const row = ['x', "'+44 20", 'gb', '20', 'voice|sms  mms', 'Colt'];
  assert.deepEqual(readNumber(row, columns), {
    number: '+44 20',
    country_code: 'GB',
    prefix: '20',
    capabilities: ['VOICE', 'SMS', 'MMS'],
    carrier: 'colt',
  });
  assert.deepEqual(readNumber(['', '00442079460000'], columns), { number: '+442079460000' });
});

it('a header without a number, or with two, is refused', () => {
  assert.throws(() => columnsOf(['+442079460000', 'GB']), /must name the columns.*"\+442079460000"/);
  assert.throws(() => columnsOf(['did', 'number']), /two columns for the number/);
});

it('what is no number is told by itself', () => {
  const columns = columnsOf(['number']);
  assert.equal(readNumber([''], columns), 'The number is missing.');
  assert.match(String(readNumber(['4.42079E+11'], columns)), /rounded/);
  assert.match(String(readNumber(['1'.repeat(200)], columns)), /too long/);
});

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
