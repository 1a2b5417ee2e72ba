import type { FieldErrors } from '../../errors.ts';

/** What is wrong at one place of a body: sentences, or problems by field, or an entry per item of a list of objects. */
export type Problem = FieldErrors[string];

const longestFullList = 1_000;

export const isSentences = (problem: Problem): problem is string[] =>
  Array.isArray(problem) && typeof problem[0] === 'string';

/** The problem as an answer's body, where sentences need a name to stand under. */
export const asBody = (problem: Problem): FieldErrors | FieldErrors[] =>
  isSentences(problem) ? { non_field_errors: problem } : problem;

/** One entry per item, `[{}, {…}]`, as long as the list itself; a very long one ends with its last bad item. */
export function asEntries(bad: Map<number, Problem>, items: readonly unknown[]): FieldErrors[] {
  let { length } = items;
  if (length > longestFullList) {
    length = 0;
    for (const index of bad.keys()) length = Math.max(length, index + 1);
  }
  return Array.from({ length }, (_, index) => asEntry(bad.get(index) ?? {}, items[index]));
}

/** Sentences about an item that is null stand for its entry, as DRF has it; all others need a name. */
function asEntry(problem: Problem, item: unknown): FieldErrors {
  if (!Array.isArray(problem)) return problem;
  return item === null ? (problem as unknown as FieldErrors) : { non_field_errors: problem };
}
