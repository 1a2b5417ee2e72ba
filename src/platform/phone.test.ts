import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { internationalDigits } from './phone.ts';

describe('the digits of a number as people write it', () => {
  const cases: [number: string, country: string, digits: string | undefined][] = [
    ['+44 7700 900123', 'DE', '447700900123'],
    ['447700900123', 'DE', '447700900123'],
    ['0044 (7700) 900-123', 'DE', '447700900123'],
    ['+44 (0)7700 900123', 'DE', '447700900123'],
    ['07700 900123', 'GB', '447700900123'],
    ['(0)7700 900123', 'GB', '447700900123'],
    ['030 901820', 'DE', '4930901820'],
    // Italy dials the zero from abroad too; Argentina puts a 9 before mobile numbers and drops the 15.
    ['06 6982', 'IT', '39066982'],
    ['011 15 2345 6789', 'AR', '5491123456789'],
    ['+0 7700 900123', 'GB', '07700900123'],
    ['0123', 'GB', undefined],
    ['07700 900123', 'ZZ', undefined],
  ];
  for (const [number, country, digits] of cases) {
    it(`${number} in ${country} is ${digits ?? 'nothing'}`, () => {
      assert.equal(internationalDigits(number, country), digits);
    });
  }
});
