/** Scripts that put no space between words: what is looked for may stand anywhere. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The words of a text, folded, with a space before and after each. */
const wordsOf = (text: string): string =>
  ` ${text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ')} `;

/**
 * Those of the keywords that a text has, in any case, as whole words: "stop" is not in "nonstop". A keyword may be several
 * words. One without any letter or digit is never found.
 */
export function findKeywords(text: string, keywords: readonly string[]): string[] {
  if (keywords.length === 0) return [];
  const words = wordsOf(text);
  return keywords.filter((keyword) => {
    const wanted = wordsOf(keyword);
    if (wanted.trim() === '') return false;
    return words.includes(unspaced.test(keyword) ? wanted.trim() : wanted);
  });
}
