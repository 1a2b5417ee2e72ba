import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };

/**
 * Any character of Unicode, for `fc.string({ unit: anyCharacter })`. It generates what fast-check's own `binary` does, which first
 * makes a table of the million characters that there are, in each process anew.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map((place) => String.fromCodePoint(place < surrogates.first ? place : place + surrogates.count), placeOf);

/** For texts that fast-check mixes in, names such as `__proto__`: throws for what is not one character. */
function placeOf(text: unknown): number {
  const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== text || !text.isWellFormed())
    throw new Error('not one character');
  return code < surrogates.first ? code : code - surrogates.count;
}
