import type { FieldErrors } from '../errors.ts';

/** The first of the errors, with the place it is at. */
export function sentenceOf(errors: FieldErrors | FieldErrors[]): string {
  const [place, sentence] = firstOf(errors, []);
  return `${place.filter((name) => name !== 'non_field_errors').join('.')}: ${sentence}`;
}

function firstOf(errors: FieldErrors | FieldErrors[], place: string[]): [place: string[], sentence: string] {
  // Lists have an entry for each item, with nothing in it for the good ones.
  const wrong = Object.entries(errors).find(([, error]) => Object.keys(error).length > 0)!;
  const [name, error] = wrong as [string, string[] | FieldErrors | FieldErrors[]];
  if (Array.isArray(error) && typeof error[0] === 'string') return [[...place, name], error[0]];
  return firstOf(error as FieldErrors | FieldErrors[], [...place, name]);
}
