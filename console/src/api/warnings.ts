/** The sentences of the header `Parley-Warnings`: strings in double quotes, percent-encoded where they are not ASCII. */
export function warningsOf(header: string | null): string[] {
  const strings = header?.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  return strings.map((string) => decoded(string.slice(1, -1).replace(/\\(.)/g, '$1')));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
