import { countSeptets, septetsOf } from './alphabet.ts';
import { lastCut } from './graphemes.ts';

export interface Segmented {
  encoding: 'GSM7' | 'UCS2';
  /** The text of each part; together they are the text, after the replacements of `smart`. */
  segments: string[];
  /** Septets or UTF-16 units of the whole text, headers not counted. */
  units: number;
  referenceBits: 8 | 16;
}

export interface SegmentOptions {
  /** Writes typographic quotes, dashes, spaces … in plain signs when the text fits GSM-7 then. */
  smart?: boolean;
  /** How wide the number is that the parts have in common; a wide one takes an octet from each part. */
  referenceBits?: 8 | 16;
}

/**
 * Units of a message that is alone, and of a part among others. A message has 140 octets, that is 160 septets or 70 UTF-16
 * units; the header that joins parts takes six of them, or seven with a wide reference (3GPP TS 23.040, 9.2.3.24.1 and .8).
 */
const sizes = {
  GSM7: { alone: 160, part: { 8: 153, 16: 152 } },
  UCS2: { alone: 70, part: { 8: 67, 16: 66 } },
};

/** Cuts a text into the parts it is sent in. A text that is empty is one part. */
export function segmentText(text: string, { smart = false, referenceBits = 8 }: SegmentOptions = {}): Segmented {
  const septets = countSeptets(text);
  if (septets !== undefined) return segmentGsm7(text, septets, referenceBits);
  const plain = smart ? inPlainSigns(text) : undefined;
  if (plain !== undefined) return segmentGsm7(plain, countSeptets(plain)!, referenceBits);
  const segments = text.length <= sizes.UCS2.alone ? [text] : cutUcs2(text, sizes.UCS2.part[referenceBits]);
  return { encoding: 'UCS2', segments, units: text.length, referenceBits };
}

function segmentGsm7(text: string, units: number, referenceBits: 8 | 16): Segmented {
  const segments = units <= sizes.GSM7.alone ? [text] : cutGsm7(text, sizes.GSM7.part[referenceBits]);
  return { encoding: 'GSM7', segments, units, referenceBits };
}

/** An escape stays with what it escapes. */
function cutGsm7(text: string, largest: number): string[] {
  const segments: string[] = [];
  let start = 0;
  let used = 0;
  for (let index = 0; index < text.length; index++) {
    const cost = septetsOf(text.charCodeAt(index));
    if (used + cost > largest) {
      segments.push(text.slice(start, index));
      start = index;
      used = 0;
    }
    used += cost;
  }
  segments.push(text.slice(start));
  return segments;
}

/** So does half a surrogate pair with its other half, and what a person sees as one character where a part can hold it. */
function cutUcs2(text: string, largest: number): string[] {
  const segments: string[] = [];
  let start = 0;
  while (text.length - start > largest) {
    const end = lastCut(text, start, start + largest);
    segments.push(text.slice(start, end));
    start = end;
  }
  segments.push(text.slice(start));
  return segments;
}

/**
 * What typography has replaced, and what stood there before. Signs that look the same in print, never letters or signs with a
 * meaning of their own: 1½ is not 11/2, and œ is not oe everywhere.
 */
const plainBySign: [string, string][] = [
  ['"', '“”„‟«»″〝〞＂'],
  ["'", '‘’‚‛‹›′ʹʻʼʽˈˊˋ´`＇'],
  ['-', '‐‑‒–—―−⁃•'],
  ['...', '…'],
  ['!!', '‼'],
  [' ', '\t\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000'],
  ['\n', '\u2028\u2029'],
  // Invisible: soft hyphen, zero-width space and joiners, marks of direction, word joiner, variation selectors, byte order mark.
  ['', '\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufe0e\ufe0f\ufeff'],
  ['ff', 'ﬀ'],
  ['fi', 'ﬁ'],
  ['fl', 'ﬂ'],
  ['ffi', 'ﬃ'],
  ['ffl', 'ﬄ'],
  ['st', 'ﬅﬆ'],
  // The ohm and the ångström are the letters to Unicode itself.
  ['Ω', '\u2126'],
  ['Å', '\u212b'],
];
const plain = new Map(plainBySign.flatMap(([text, signs]) => [...signs].map((sign) => [sign, text] as const)));

/** A sign to be replaced, or a letter whose accent was written as a character of its own. */
const replaceable = new RegExp(
  `[A-Za-z][\\u0300-\\u0303\\u0308\\u030a\\u0327]|[${[...plain.keys()].map(escaped).join('')}]`,
  'g',
);

function escaped(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The text in plain signs, when that is all it takes to write it in GSM-7. */
function inPlainSigns(text: string): string | undefined {
  // Letter by letter: normalising a whole text of nothing but accents takes time in its square.
  const result = text.replace(replaceable, (found) => plain.get(found) ?? found.normalize('NFC'));
  return countSeptets(result) === undefined ? undefined : result;
}
