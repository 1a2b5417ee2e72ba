const known = new WeakMap<object, string>();

/** Keeps the version of what an answer shows. */
export function noteEtag(data: unknown, response: Response): void {
  const etag = response.headers.get('etag');
  if (etag !== null && typeof data === 'object' && data !== null) known.set(data, etag);
}

/** The version of an object as a call returned it, for the option `ifMatch`; undefined for what has none, such as a copy. */
export const etagOf = (object: object): string | undefined => known.get(object);
