// Where a UCS-2 text may be cut. A person sees graphemes (Unicode Annex 29): a flag, a family, a letter with its accents. Half
// of one at the end of a part shows as rubbish on phones that show parts one by one.

/** Made when it is first needed: that takes as long as reading fifty files. */
let segmenter: Intl.Segmenter | undefined;

const isHighSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isLowSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;
/** Of U+1F000 to U+1FBFF: emoji and other pictures. */
const opensPicture = (unit: number): boolean => unit >= 0xd83c && unit <= 0xd83e;

/**
 * Units that never join a neighbour of their kind: whole blocks without combining marks, joiners, prefixed signs, single jamo
 * and the consonants of Indic conjuncts. Between CR and LF, too, a text may be cut: nobody sees it.
 */
const standsAlone = new Uint8Array(0x10000);
for (const [first, last] of [
  [0x0000, 0x02ff], // Latin
  [0x0370, 0x0482], // Greek, Cyrillic
  [0x048a, 0x0590], // Cyrillic, Armenian
  [0x05d0, 0x05f4], // Hebrew
  [0x0620, 0x064a], // Arabic
  [0x2010, 0x2027], // dashes, quotation marks, the ellipsis
  [0x202f, 0x205f],
  [0x20a0, 0x20cf], // currencies
  [0x2100, 0x2cee], // arrows, symbols, the pictures of old
  [0x3000, 0x3029], // CJK punctuation
  [0x3030, 0x3098], // Hiragana
  [0x309b, 0xa66e], // Katakana, ideographs, Yi
  [0xac00, 0xd7a3], // Hangul syllables
  [0xff01, 0xff9d], // full and half width
] as const)
  standsAlone.fill(1, first, last + 1);

/** The last place up to `limit` where the text may be cut, for a part that begins at `start` and goes on behind `limit`. */
export function lastCut(text: string, start: number, limit: number): number {
  const end = isLowSurrogate(text.charCodeAt(limit)) && isHighSurrogate(text.charCodeAt(limit - 1)) ? limit - 1 : limit;
  if (isSurelyBoundary(text, end)) return end;
  // The part begins between graphemes, so it says all about them; the character behind the end takes up to two units.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const found = segmenter.segment(text.slice(start, end + 2)).containing(end - start)!.index;
  // None but the beginning: one grapheme that is longer than a part, marks heaped upon marks.
  return found > 0 ? start + found : end;
}

/** Answers for nearly every text; the segmenter, with its 3 µs for a question, would take most of the time of all. */
export const isSurelyBoundary = (text: string, at: number): boolean =>
  closesGrapheme(text, at) && opensGrapheme(text, at);

function closesGrapheme(text: string, at: number): boolean {
  const unit = text.charCodeAt(at - 1);
  if (standsAlone[unit] === 1 || unit === 0xfe0f) return true;
  return isLowSurrogate(unit) && opensPicture(text.charCodeAt(at - 2));
}

function opensGrapheme(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (standsAlone[unit] === 1) return true;
  const low = text.charCodeAt(at + 1);
  if (!opensPicture(unit) || !isLowSurrogate(low)) return false;
  // Not the letters that pair up to flags, nor the tones of skin.
  return unit !== 0xd83c || !((low >= 0xdde6 && low <= 0xddff) || low >= 0xdffb);
}
