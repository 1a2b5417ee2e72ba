import type { IncomingHttpHeaders } from 'node:http';

/** Both bounds belong to it. */
export interface WholeRange {
  start: number;
  end: number;
}

/**
 * The part of a file that a request asks for (RFC 9110, section 14). `undefined`: all of it, also where the header makes no sense or asks for
 * several parts, which a server may ignore. `unsatisfiable`: there is no such part.
 */
export function readRange(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  size: number,
): WholeRange | 'unsatisfiable' | undefined {
  // Files have no validators: whoever makes a condition of one gets the whole file.
  if (range === undefined || ifRange !== undefined) return undefined;
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(range) ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end };
}
