const names = new Intl.DisplayNames('en', { type: 'language' });

/** `en_GB` → `British English`. What is no language stays as it is. */
export function languageName(code: string): string {
  try {
    return names.of(code.replaceAll('_', '-')) ?? code;
  } catch {
    return code;
  }
}

/** For selects: the name, and the code as the platform writes it. */
export const languageOptions = (codes: Iterable<string>) =>
  [...new Set(codes)].map((value) => ({ value, label: `${languageName(value)} (${value})` }));
