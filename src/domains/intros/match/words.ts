import { longestKey } from './keys.ts';

/** A long text offers the words at its beginning; one of 250 words offers all of its runs. */
const most = 1_000;
const longestRun = 4;
const mostCodes = 100;

/**
 * Where words end: at white space, and on a second reading also at what people put around a reference: `(A-1)`, `Ref:A-1`,
 * `?ref=A-1&x=2`.
 */
const readings = [/[^ ]+/g, /[^ :;=|?&()[\]{}<>"“”„«»]+/g];

/** From the first letter or digit to the last one with its marks. Greedy, so it is found in one pass whatever the text. */
const core = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?\p{M}*/su;

/** A code of ours (see `newCode`) wherever it stands by itself, also at the end of a link. */
const code = /(?<![\p{L}\p{N}])[2-9bcdfghjkmnp-tv-z]{10}(?![\p{L}\p{N}])/gu;

/** Where a word may be taken to begin and to end: with what surrounds its letters and digits, and without. */
interface Token {
  starts: Set<number>;
  ends: Set<number>;
}

/**
 * What in a normalised text, which has no white space but single spaces, may be a reference: its words, and, since references may have spaces in them, up to four words in a row, and
 * the whole of it. Short runs come first. In the form of `referenceKey`, all different, and never more than a thousand.
 */
export function referencesIn(plain: string): string[] {
  const found = new Set([plain.slice(0, longestKey).toWellFormed()]);
  const tokens = readings.map((reading) => plain.matchAll(reading).take(most).map(tokenOf).toArray());
  for (let length = 1; length <= longestRun; length++) {
    for (const reading of tokens) addRuns(found, plain, reading, length);
  }
  found.delete('');
  return [...found];
}

/** The short codes that a normalised text names. */
export const codesIn = (plain: string): string[] => [
  ...new Set(
    plain
      .matchAll(code)
      .take(mostCodes)
      .map(([found]) => found),
  ),
];

function tokenOf({ 0: token, index }: RegExpExecArray): Token {
  const inner = core.exec(token);
  const start = index + (inner?.index ?? 0);
  const end = inner ? start + inner[0].length : index + token.length;
  return { starts: new Set([start, index]), ends: new Set([end, index + token.length]) };
}

function addRuns(found: Set<string>, text: string, tokens: Token[], length: number): void {
  for (let at = 0; at + length <= tokens.length; at++) {
    for (const start of tokens[at]!.starts) {
      for (const end of tokens[at + length - 1]!.ends) {
        if (found.size === most) return;
        found.add(text.slice(start, Math.min(end, start + longestKey)).toWellFormed());
      }
    }
  }
}
