import type { FieldErrors } from '../../../platform/errors.ts';

/** The errors of a list, one entry per item; undefined when no item has any. */
export function eachItem<T>(
  items: readonly T[],
  check: (item: T, index: number) => FieldErrors | undefined,
): FieldErrors[] | undefined {
  const errors = items.map(check);
  return errors.some((found) => found !== undefined) ? errors.map((found) => found ?? {}) : undefined;
}

/** Errors of a field, where there are any. */
export const under = (field: string, errors: FieldErrors[string] | undefined): FieldErrors | undefined =>
  errors && { [field]: errors };
