/**
 * The value without empty texts, and without lists and objects that have nothing in them. The API takes an empty text for
 * one that was left out; the platform refuses it.
 */
export function withoutEmpty<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutEmpty).filter((item) => !isEmpty(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, withoutEmpty(field)] as const);
  return Object.fromEntries(fields.filter(([, field]) => !isEmpty(field))) as T;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === '') return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** A message that names something the platform does not know yet: it cannot be written down for the platform. */
export class Unsendable extends Error {
  override name = 'Unsendable';
  readonly code: string;

  constructor(code: string, description: string) {
    super(description);
    this.code = code;
  }
}
