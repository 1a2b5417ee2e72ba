import { locale } from './locale.ts';
/** A word of the API as people write it: `IN_PROGRESS` → `In progress`. */
export const sayWord = (word: string): string => {
  const text = word.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** What a select offers: words of the API, or their names by word. */
export const optionsOf = (words: readonly string[] | Record<string, string>): { value: string; label: string }[] =>
  Array.isArray(words)
    ? words.map((value) => ({ value, label: sayWord(value) }))
    : Object.entries(words as Record<string, string>).map(([value, label]) => ({ value, label }));

const figure = new Intl.NumberFormat(locale);

/** A number with its thousands told apart: `12,480`. */
export const sayFigure = (value: number): string => figure.format(value);
