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
