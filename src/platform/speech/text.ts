/** Texts made ready for voices, in pieces that are spoken one after the other. */

/** The voice takes time and memory by the square of what it speaks at once. */
const longestPiece = 250;
/** Nobody's word is longer; a thousand digits in a row would be spoken as one number. */
const longestWord = 40;

const spoken: [RegExp, string][] = [
  [/[‘’‛′]/g, "'"],
  [/[“”„«»]/g, '"'],
  [/…/g, '. '],
  [/[–—]/g, ', '],
  [/£ ?(\d[\d.,]*\d|\d)/g, '$1 pounds '],
  [/€ ?(\d[\d.,]*\d|\d)/g, '$1 euros '],
  [/£/g, ' pounds '],
  [/€/g, ' euros '],
];

/** For the voice that knows English and ASCII. Nothing to say: []. */
export function piecesOf(text: string): string[] {
  const plain = spoken
    .reduce((changed, [what, by]) => changed.replace(what, by), text.normalize('NFC'))
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x21-\x7e]+/g, ' ')
    .replace(new RegExp(`\\S{${longestWord}}(?=\\S)`, 'g'), '$& ');
  return plain
    .split(/(?<=[.!?;:])\s+/)
    .flatMap(cutToLength)
    .filter((piece) => /[A-Za-z0-9$%&@#+=*]/.test(piece));
}

/** Letters of other scripts are left out of what is spoken, and a caller would hear nothing of them. */
const otherScript = /(?!\p{Script=Latin})\p{L}/u;

/** Whether the voice can say a text, all of it; a blank one too, which is a moment of silence. */
export const isSpeakable = (text: string): boolean =>
  text.trim() === '' || (!otherScript.test(text.normalize('NFKC')) && piecesOf(text).length > 0);

/** Each is a start of the program that speaks it, and bounds what that can write. */
const longestPassage = 500;
const sentenceEnd = /[.!?;:…。！？；؟۔।](?=\s)|[。！？；]/g;

/** For a program that knows other languages: the text as it is, without what would be a command to it. Nothing to say: []. */
export function passagesOf(text: string): string[] {
  const passages: string[] = [];
  let rest = text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{C}\s]+/gu, ' ')
    // Between two brackets stand sounds instead of words.
    .replaceAll('[', '(')
    .replaceAll(']', ')')
    .trim();
  while (rest.length > longestPassage) {
    const end = passageEnd(rest.slice(0, longestPassage));
    passages.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return [...passages, rest].filter((passage) => passage !== '');
}

/** After a sentence if one ends in the second half, else between two words, else anywhere but within a character. */
function passageEnd(head: string): number {
  const sentence = [...head.matchAll(sentenceEnd)].at(-1);
  const end = sentence ? sentence.index + 1 : 0;
  if (end > longestPassage / 2) return end;
  const space = head.lastIndexOf(' ');
  if (space > 0) return space;
  return head.isWellFormed() ? head.length : head.length - 1;
}

/** At a comma if there is one in the second half, else between two words. */
function cutToLength(sentence: string): string[] {
  const pieces: string[] = [];
  let rest = sentence.trim();
  while (rest.length > longestPiece) {
    const head = rest.slice(0, longestPiece);
    const comma = head.lastIndexOf(', ');
    const end = comma > longestPiece / 2 ? comma + 1 : head.lastIndexOf(' ');
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end).trim();
  }
  return [...pieces, rest];
}
