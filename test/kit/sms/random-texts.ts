import fc from 'fast-check';

const from = (characters: string) => fc.constantFrom(...characters);
const codes = (first: number, last: number) =>
  fc.integer({ min: first, max: last }).map((code) => String.fromCodePoint(code));

/** Kinds of characters that matter to a text, by name. */
export const kinds = {
  ascii: codes(0x20, 0x7e).filter((character) => character !== '`'),
  letters: from('@£$¥èéùìòÇ\nØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà'),
  extension: from('\f^{}\\[~]|€'),
  accented: from('çêÁí`'),
  cyrillic: codes(0x410, 0x44f),
  ideographs: codes(0x4e00, 0x9fff),
  emoji: from('😀🚀🎉👍🔥🧡'),
};

/** What a person sees as one character, though it is several; both Unicode 10 and today's say so. */
export const clusters = fc.constantFrom('👍🏽', '🇩🇪', '👨‍👩‍👧', '❤️', '1️⃣', 'e\u0301', 'Z\u0334\u0301\u0323', 'ที่', '각');

/** Texts of characters from anywhere. */
export const wellFormed = (minLength = 0): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(codes(0, 0xfff), codes(0, 0xd7ff), codes(0xe000, 0x1ffff), codes(0x20000, 0x10ffff)), {
      minLength,
      maxLength: 400,
    })
    .map((characters) => characters.join(''));

/** Texts of a few hundred characters: much of one kind, so that seams fall in all places, then a mixture. */
export const textOf = (...pieces: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.oneof(...pieces),
      fc.oneof(fc.nat(340), ...[35, 67, 70, 76, 80, 134, 153, 160, 306].map((seam) => nearby(seam))),
      fc.array(fc.oneof(...pieces), { maxLength: 90 }),
      fc.boolean(),
    )
    .map(([filler, count, mixture, first]) =>
      first ? mixture.join('') + filler.repeat(count) : filler.repeat(count) + mixture.join(''),
    );

const nearby = (seam: number) => fc.integer({ min: seam - 3, max: seam + 3 });
