import assert from 'node:assert/strict';
import { it } from 'node:test';
import { columnsOf, readNumber } from './number-columns.ts';

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
