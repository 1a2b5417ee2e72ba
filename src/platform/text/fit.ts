let segmenter: Intl.Segmenter | undefined;

/** The text, or as much of it as fits with an ellipsis. Counted as the platform's limits are: in code points. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  let count = 0;
  let at = 0;
  for (const point of text) {
    count++;
    if (count === most) end = at;
    if (count > most) return `${text.slice(0, wholeUntil(text, end)).trimEnd()}…`;
    at += point.length;
  }
  return text;
}

/** Where what a person sees as one character (a flag, a family) begins: it is not cut through, unless it is all there is. */
function wholeUntil(text: string, end: number): number {
  // Made when it is first needed: that takes as long as reading twenty files.
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text).containing(end)?.index || end;
}

/**
 * What somebody outside wrote (a peer's name, the words of a refusal), as it can be kept, listed and logged: without control
 * characters, which PostgreSQL does not take (NUL) or which move a terminal's cursor, without halves of characters, and no longer
 * than `most` UTF-16 units.
 */
export function storable(text: string, most: number): string {
  const short = text.length > most ? text.slice(0, most) : text;
  const plain = controls.test(short) ? short.replaceAll(everyControl, ' ').trim() : short;
  return plain.toWellFormed();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controls = /[\0-\x1f\x7f-\x9f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const everyControl = /[\0-\x1f\x7f-\x9f]+/g;
