import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { ApiError, notFound } from '../../errors.ts';
import type { FileName, Files } from '../../files/files.ts';
import type { Answer } from '../route.ts';

export interface FileAnswer {
  /** The content type, and further headers to save or guard the file with. */
  headers: Record<string, string>;
  /** What to send before and after the bytes, given their number. */
  frame?(size: number): { before: Buffer; behind: Buffer };
  /** What is said when its bytes are not there; 404 unless told. */
  missing?(): ApiError;
  /** Headers of the request, which may ask for a part: players seek. */
  asked?: IncomingHttpHeaders;
}

/** In the descriptions of operations that answer a file. */
export const rangeSentence =
  'A `Range` header with one range of bytes gets that part (206), or 416 if there is no such part.';

const nothing = { before: Buffer.alloc(0), behind: Buffer.alloc(0) };

/** Answers a file that is stored, or the part that was asked for. */
export async function fileAnswer(
  files: Files,
  name: FileName,
  { headers, frame, missing = notFound, asked = {} }: FileAnswer,
): Promise<Answer> {
  const common = { ...headers, 'accept-ranges': 'bytes', 'x-content-type-options': 'nosniff' };
  if (asked.range === undefined) {
    const file = await files.get(name);
    if (!file) throw missing();
    const { before, behind } = frame?.(file.size) ?? nothing;
    const size = before.length + file.size + behind.length;
    const body = frame ? joined([before], file.bytes, [behind]) : file.bytes;
    return { status: 200, body, headers: { ...common, 'content-length': String(size) } };
  }
  const stored = await files.size(name);
  if (stored === undefined) throw missing();
  const around = frame?.(stored) ?? nothing;
  const size = around.before.length + stored + around.behind.length;
  const range = readRange(asked, size);
  if (range === 'unsatisfiable') {
    throw new ApiError('range_not_satisfiable', { headers: { 'content-range': `bytes */${size}` } });
  }
  const part = range ?? { start: 0, end: size - 1 };
  return {
    status: range ? 206 : 200,
    body: await readPart(files, name, { part, stored, ...around }),
    headers: {
      ...common,
      'content-length': String(part.end - part.start + 1),
      ...(range && { 'content-range': `bytes ${part.start}-${part.end}/${size}` }),
    },
  };
}

/** A part of what stands before, is stored, and stands behind. */
async function readPart(
  files: Files,
  name: FileName,
  { part, stored, before, behind }: { part: WholeRange; stored: number; before: Buffer; behind: Buffer },
): Promise<Readable> {
  const cut = (bytes: Buffer, at: number): Buffer =>
    bytes.subarray(Math.max(part.start - at, 0), Math.max(part.end + 1 - at, 0));
  const first = cut(before, 0);
  const last = cut(behind, before.length + stored);
  const start = Math.max(part.start - before.length, 0);
  const end = Math.min(part.end - before.length, stored - 1);
  if (start > end) return joined([first], [last]);
  const file = await files.get(name, { start, end });
  if (!file) throw notFound();
  return first.length + last.length === 0 ? file.bytes : joined([first], file.bytes, [last]);
}

const joined = (...parts: (AsyncIterable<Buffer> | Iterable<Buffer>)[]): Readable =>
  Readable.from(inTurn(...parts), { objectMode: false });

async function* inTurn(...parts: (AsyncIterable<Buffer> | Iterable<Buffer>)[]): AsyncGenerator<Buffer> {
  for (const part of parts) for await (const bytes of part) if (bytes.length > 0) yield bytes;
}

/** Both bounds belong to it. */
interface WholeRange {
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
  // Files have no entity tags, so a request with If-Range gets the whole file.
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
