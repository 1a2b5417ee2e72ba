/** A stretch of a text: words as they are, or a placeholder. */
export type Piece = { text: string } | { name: string };

/** Reads `{{Name}}` placeholders as the server does: spaces inside do not count, and a name ends at the next brace. */
export function piecesOf(template: string): Piece[] {
  const pieces: Piece[] = [];
  let last = 0;
  for (const found of template.matchAll(/\{\{([^{}]+)\}\}/g)) {
    const name = found[1]!.trim();
    if (name === '') continue;
    if (found.index > last) pieces.push({ text: template.slice(last, found.index) });
    pieces.push({ name });
    last = found.index + found[0].length;
  }
  if (last < template.length) pieces.push({ text: template.slice(last) });
  return pieces;
}

/** The names of the placeholders in these texts, each once. */
export const namesIn = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap(piecesOf).flatMap((piece) => ('name' in piece ? [piece.name] : []))),
];

/** A text with what is known filled in; names without a value stay as they are written. */
export const fillText = (template: string, values: Readonly<Record<string, string>>): string =>
  piecesOf(template)
    .map((piece) => {
      if ('text' in piece) return piece.text;
      return (Object.hasOwn(values, piece.name) && values[piece.name]) || `{{${piece.name}}}`;
    })
    .join('');
