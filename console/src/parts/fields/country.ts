const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** `GB` → `United Kingdom`. What is no country stays as it is. */
export function countryName(code: string | null | undefined): string {
  if (!code) return '';
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

/** Every country that has telephone numbers, by name: for selects. */
export const countryOptions = (codes: Iterable<string>) =>
  [...new Set(codes)]
    .map((value) => ({ value, label: `${countryName(value)} (${value})` }))
    .sort((a, b) => a.label.localeCompare(b.label));
