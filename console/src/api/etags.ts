import { replaceEqualDeep } from '@tanstack/react-query';

const known = new WeakMap<object, string>();

/** Keeps the version of what an answer shows. */
export function noteEtag(data: unknown, etag: string | null): void {
  if (etag !== null && typeof data === 'object' && data !== null) known.set(data, etag);
}

/** The version of an object as the API gave it, for `ifMatch`; undefined for rows of lists and copies. */
export const etagOf = (object: object): string | undefined => known.get(object);

/** Keeps what is the same, as the queries do by themselves, and the version with it. */
export function shareWithEtag(before: unknown, next: unknown): unknown {
  const shared = replaceEqualDeep(before, next);
  if (shared !== next && typeof next === 'object' && next !== null) noteEtag(shared, etagOf(next) ?? null);
  return shared;
}
