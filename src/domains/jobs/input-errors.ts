import type { FieldErrors } from '../../platform/errors.ts';

/** Errors of a list of the input, one entry per item; undefined when no item has any. */
export const anyErrors = (field: string, entries: FieldErrors[]): FieldErrors | undefined =>
  entries.some((errors) => Object.keys(errors).length > 0) ? { [field]: entries } : undefined;
