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

const kept = new Map<string, string[]>();

/** Keeps what was said when something was saved, for the page that shows it; what the next save says takes its place. */
export function keepWarnings(saved: unknown, warnings: string[]): void {
  const { uuid } = (saved ?? {}) as { uuid?: unknown };
  if (typeof uuid !== 'string') return;
  if (warnings.length > 0) kept.set(uuid, warnings);
  else kept.delete(uuid);
}

/** What was said when this object was last saved here. */
export const warningsAbout = (uuid: string): string[] => kept.get(uuid) ?? [];
