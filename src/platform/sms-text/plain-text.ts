import { countSeptets } from './alphabet.ts';

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
export function inPlainSigns(text: string): string | undefined {
  // Letter by letter: normalising a whole text of nothing but accents takes time in its square.
  const result = text.replace(replaceable, (found) => plain.get(found) ?? found.normalize('NFC'));
  return countSeptets(result) === undefined ? undefined : result;
}
