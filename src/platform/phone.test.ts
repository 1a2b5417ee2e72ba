import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { international, isPhone, isPlain, phoneDigits, prefixDigits, readPhone, searchDigits } from './phone.ts';

describe('a number as people write it', () => {
  const spellings: [country: string, number: string, digits: string][] = [
    // With its country, in whichever one it is written.
    ...['GB', 'US', 'DE', 'IT', 'ZZ'].flatMap((country): [string, string, string][] => [
      [country, '+447733888881', '447733888881'],
      [country, '+44 7733-888 881', '447733888881'],
      [country, ' +44.7733.888.881 ', '447733888881'],
      [country, '00447733888881', '447733888881'],
      [country, '+00447733888881', '447733888881'],
      [country, '0044 (7733) 888-881', '447733888881'],
      [country, '447733888881', '447733888881'],
      [country, '+44 (0)7733 888881', '447733888881'],
      [country, '+44 [0] 7733 888881', '447733888881'],
      [country, '0044 (0) 7733 888881', '447733888881'],
      [country, '44 (0)7733 888881', '447733888881'],
      [country, '+4407733888881', '447733888881'],
      [country, '+44 07733 888881', '447733888881'],
      [country, '+44 (0)20 7946 0000', '442079460000'],
      // The zero is part of Italian numbers.
      [country, '+39 (0)6 6982', '39066982'],
      [country, '+39066982', '39066982'],
      [country, '+2250712345678', '2250712345678'],
      [country, '+49 (0)30 901820', '4930901820'],
      // Reserved for fiction: possible, though nobody has them.
      [country, '+447700900123', '447700900123'],
      [country, '+44 (0)7700 900123', '447700900123'],
      [country, '447700900123', '447700900123'],
      [country, '12025550143', '12025550143'],
      // Short codes.
      [country, '60123', '60123'],
      [country, '602-134', '602134'],
      [country, 'GB.1a2B3c', 'GB.1a2B3c'],
      [country, 'US.ENT.99', 'US.ENT.99'],
    ]),
    // Of the country.
    ['GB', '07733888881', '447733888881'],
    ['GB', '07733 888 881', '447733888881'],
    ['GB', '(0)7733 888881', '447733888881'],
    ['GB', '(07733) 888881', '447733888881'],
    ['GB', '+0 7733 888881', '447733888881'],
    ['GB', '7733888881', '447733888881'],
    ['GB', '07700 900123', '447700900123'],
    ['US', '(415) 555-2671', '14155552671'],
    ['US', '415.555.2671', '14155552671'],
    ['US', '1 415 555 2671', '14155552671'],
    ['DE', '030 901820', '4930901820'],
    ['FR', '06 12 34 56 78', '33612345678'],
    // Italy dials the zero from abroad too; Argentina puts a 9 before mobile numbers and drops the 15; Hungary dials 06.
    ['IT', '06 6982', '39066982'],
    ['AR', '011 15 2345 6789', '5491123456789'],
    ['HU', '06 30 123 4567', '36301234567'],
    // A possible number of another country comes before one of this country.
    ['US', '2025550143', '2025550143'],
    // What can be neither is left as it is.
    ['GB', '4155552671', '4155552671'],
    ['ZZ', '7733888881', '7733888881'],
  ];
  for (const [country, number, digits] of spellings) {
    it(`${number} in ${country} is ${digits}`, () => {
      assert.equal(readPhone(number, country), digits);
      if (/^\d/.test(digits)) assert.ok(isPhone(number, country));
      assert.equal(readPhone(international(digits), country), digits, 'and what it is read as is read so again');
    });
  }

  const nothing: [country: string | undefined, text: string][] = [
    ['GB', ''],
    ['GB', 'ESTATES'],
    ['GB', '1234'],
    ['GB', '+1234'],
    ['GB', '0012 34'],
    ['GB', '01234'],
    ['GB', '077338888811234'],
    ['US', '07733888881'],
    ['ZZ', '07733888881'],
    ['GB', '+1234567890123456'],
    ['GB', `+44${' '.repeat(60)}7733888881`],
    ['GB', '07733888881 ext 4'],
    [undefined, '1234567890123456'],
  ];
  for (const [country, text] of nothing) {
    it(`${JSON.stringify(text)} is no number in ${country ?? 'a country that is not known'}`, () => {
      assert.equal(isPhone(text, country), false);
    });
  }

  it('has fifteen digits at most, not counting what is dialled before them', () => {
    assert.ok(isPhone('00123456789012345', 'GB'));
    assert.equal(isPhone('001234567890123456', 'GB'), false);
  });

  it('of which the country is not known is read as far as it goes', () => {
    assert.equal(phoneDigits('0044 7733 888881'), '447733888881');
    assert.equal(phoneDigits('07733 888881'), '07733888881');
    assert.ok(isPhone('07733 888881'));
  });

  it('is plain if it means the same everywhere', () => {
    assert.deepEqual(
      ['+447733888881', 'GB.1a2B3c', '447733888881', '00447733888881', '+4407733888881', '+44 7733888881'].map(isPlain),
      [true, true, false, false, false, false],
    );
  });
});

describe('the beginning of a number', () => {
  const cases: [country: string | undefined, prefix: string, digits: string][] = [
    ['GB', '+44 20', '4420'],
    ['GB', '44', '44'],
    ['GB', '0044 (0)20', '4420'],
    ['GB', '+44 (0)20', '4420'],
    ['GB', '020', '4420'],
    ['GB', '020 7946', '44207946'],
    ['IT', '06', '3906'],
    ['HU', '06 30', '3630'],
    ['ZZ', '020', '020'],
    [undefined, '020', '020'],
  ];
  for (const [country, prefix, digits] of cases) {
    it(`${prefix} in ${country} is ${digits}`, () => assert.equal(prefixDigits(prefix, country), digits));
  }

  it('finds whole numbers, too', () => {
    assert.ok(searchDigits('011 15 2345 6789', 'AR').includes('5491123456789'));
    assert.deepEqual(searchDigits('0770', 'GB'), ['44770']);
    assert.deepEqual(searchDigits('+44 770', 'DE'), ['44770']);
    // A number of San Francisco, or the beginning of one in Switzerland.
    assert.deepEqual(searchDigits('(415) 555-2671', 'US'), ['4155552671', '14155552671']);
  });
});
