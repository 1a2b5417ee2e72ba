import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CountryCode, getCountryCallingCode } from 'libphonenumber-js';
import { numberRanges } from './number-ranges.ts';

const last = ({ first, count }: (typeof numberRanges)[number]) => String(BigInt(first) + BigInt(count - 1));

describe('the sandbox number ranges', () => {
  it('cover at least 22 countries, each with two prefixes or more', () => {
    const byCountry = Map.groupBy(numberRanges, (range) => range.country);
    assert.ok(byCountry.size >= 22);
    for (const [country, ranges] of byCountry)
      assert.ok(new Set(ranges.map(({ prefix }) => prefix)).size >= 2, country);
  });

  it('hold about 100 to 1000 numbers of 8 to 15 digits, all of one length', () => {
    for (const range of numberRanges) {
      assert.match(range.first, /^[1-9]\d{7,14}$/);
      assert.equal(last(range).length, range.first.length, range.first);
      assert.ok(range.count >= 95 && range.count <= 1000, range.first);
    }
  });

  it('begin with the calling code of their country and then their prefix, from the first number to the last', () => {
    for (const range of numberRanges) {
      const start = getCountryCallingCode(range.country as CountryCode) + range.prefix;
      assert.ok(range.first.startsWith(start), `${range.first} begins with ${start}`);
      assert.ok(last(range).startsWith(start), `${last(range)} begins with ${start}`);
    }
  });

  it('do not overlap', () => {
    const numbers = numberRanges.flatMap(({ first, count }) =>
      Array.from({ length: count }, (_, index) => String(BigInt(first) + BigInt(index))),
    );
    assert.equal(new Set(numbers).size, numbers.length);
  });

  it('hold no number whose ending means something in the sandbox (9000 to 9099)', () => {
    for (const { first, count } of numberRanges) {
      for (let index = 0; index < count; index++) assert.doesNotMatch(String(BigInt(first) + BigInt(index)), /90\d\d$/);
    }
  });

  it('offer, in every country, a number for voice and SMS', () => {
    for (const ranges of Map.groupBy(numberRanges, (range) => range.country).values()) {
      assert.ok(ranges.some(({ capabilities }) => capabilities.includes('VOICE') && capabilities.includes('SMS')));
    }
  });
});
