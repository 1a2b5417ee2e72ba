import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { filterMatches, readNumber } from './filter.ts';

const readable: Record<string, number> = {
  'R 1 250 000': 1_250_000,
  R1250000: 1_250_000,
  '1,250,000.50': 1_250_000.5,
  '€ 1.250.000': 1_250_000,
  '€ 1.250.000,50': 1_250_000.5,
  '1 250 000,50': 1_250_000.5,
  '1\u00a0250\u202f000 ZAR': 1_250_000,
  "CHF 1'250’000.-": 1_250_000,
  '₹ 12,50,000': 1_250_000,
  '1,250': 1250,
  '€ 1.250': 1250,
  '1.250': 1.25,
  '12,5': 12.5,
  '0,250': 0.25,
  '1234,567': 1234.567,
  '1 250.000': 1250,
  ' 7 ': 7,
  '-5': -5,
  '-R 500': -500,
  'R -500': -500,
  '−5 °C': -5,
  '10%': 10,
  'From $ 95,000 (negotiable).': 95_000,
  '5000 MAD': 5000,
};
const unreadable = [
  '',
  'ask us',
  'R 1 000 000 - R 2 000 000',
  '2 bed 1 bath',
  '2026-11-15',
  '1e6',
  '12 34',
  '1,250 000',
  '1.250,000.5',
  '1,25,0',
  '250k',
  'R 1.2m',
  '1.2 million',
  'REF-1250',
  `${'a'.repeat(80)}5`,
  '٣',
];

describe('readNumber', () => {
  for (const [text, number] of Object.entries(readable)) {
    it(`reads ${JSON.stringify(text)} as ${number}`, () => assert.equal(readNumber(text), number));
  }

  it('reads nothing where it cannot be told what is meant', () => {
    for (const text of unreadable) assert.equal(readNumber(text), undefined, text);
  });

  const locales = ['en-ZA', 'en-GB', 'de-DE', 'de-CH', 'fr-FR', 'en-IN', 'pt-BR', 'sv-SE', 'pl-PL'];
  it('reads prices as they are written around the world', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...locales),
        fc.integer({ min: 0, max: 10 ** 12 }),
        fc.boolean(),
        (locale, cents, whole) => {
          const amount = whole ? Math.floor(cents / 100) : cents / 100;
          const digits = whole ? 0 : 2;
          const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
          const currency = { style: 'currency', currency: 'EUR', ...options } as const;
          assert.equal(readNumber(new Intl.NumberFormat(locale, currency).format(amount)), amount);
        },
      ),
    );
  });

  it('reads plain numbers as they are, however many decimals they have', () => {
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true, noNaN: true, min: -1e15, max: 1e15 }), (number) => {
        fc.pre(!String(number).includes('e'));
        assert.equal(readNumber(String(number)), number + 0);
      }),
    );
  });

  it('never throws, and answers a finite number or nothing', () => {
    const unit = fc.constantFrom('1', '23', ',', '.', ' ', "'", '-', 'R', '€', 'k', '\n', '😀');
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        assert.ok(Number.isFinite(readNumber(text) ?? 0));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('filterMatches', () => {
  const holds = (bounds: object, PropertyPrice = 'R 1 250 000') =>
    filterMatches({ PropertyPrice: bounds }, { PropertyPrice });

  it('holds from gte to lte, both included, each optional', () => {
    assert.ok(holds({ gte: '1250000', lte: '1,250,000.00' }));
    assert.ok(holds({ gte: '1 250 000' }) && holds({ lte: '1250000' }) && holds({}));
    assert.ok(!holds({ gte: '1250000.01' }) && !holds({ lte: '1249999' }) && !holds({ gte: '0', lte: '1' }));
  });

  it('does not hold for what is missing or no number, even without bounds', () => {
    assert.ok(!filterMatches({ Rooms: {} }, { PropertyPrice: '5' }));
    assert.ok(!holds({}, 'on request') && !holds({}, ''));
    assert.ok(!filterMatches({ constructor: {} }, {}));
  });

  it('finds a variable whatever its case and underscores, the exact name first, then by precedence', () => {
    for (const name of ['property_price', 'PROPERTYPRICE', '_Property__Price']) {
      assert.ok(filterMatches({ [name]: { gte: '5' } }, { PropertyPrice: '5' }), name);
    }
    const variables = { property_price: '1', PropertyPrice: '2' };
    assert.ok(filterMatches({ PropertyPrice: { gte: '2' } }, variables));
    assert.ok(!filterMatches({ propertyPrice: { gte: '2' } }, variables));
  });

  it('holds when it names nothing, and only when all that it names hold', () => {
    assert.ok(filterMatches({}, {}));
    const variables = { a: '1', b: '2' };
    assert.ok(filterMatches({ a: { lte: '1' }, b: { gte: '2' } }, variables));
    assert.ok(!filterMatches({ a: { lte: '1' }, b: { gte: '3' } }, variables));
  });

  it('agrees with plain comparison for any numbers', () => {
    const number = fc.integer({ min: -(10 ** 9), max: 10 ** 9 });
    fc.assert(
      fc.property(number, number, number, (value, gte, lte) => {
        const filter = { a_b: { gte: String(gte), lte: String(lte) } };
        assert.equal(filterMatches(filter, { AB: String(value) }), value >= gte && value <= lte);
      }),
    );
  });
});
