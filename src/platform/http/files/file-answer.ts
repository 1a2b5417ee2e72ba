import { Readable } from 'node:stream';
import { notFound } from '../../errors.ts';
import type { FileName, Files } from '../../files/files.ts';
import type { Answer } from '../route.ts';

export interface FileAnswer {
  /** The type, and what else the file is to be saved or guarded with. */
  headers: Record<string, string>;
  /** What stands before and behind the bytes, by their number. */
  frame?(size: number): { before: Buffer; behind: Buffer };
}

/** Answers a file that is stored; 404 when its bytes are not there. */
export async function fileAnswer(files: Files, name: FileName, { headers, frame }: FileAnswer): Promise<Answer> {
  const file = await files.get(name);
  if (!file) throw notFound();
  const around = frame?.(file.size);
  const size = file.size + (around ? around.before.length + around.behind.length : 0);
  return {
    status: 200,
    body: around
      ? Readable.from(inTurn([around.before], file.bytes, [around.behind]), { objectMode: false })
      : file.bytes,
    headers: { ...headers, 'content-length': String(size), 'x-content-type-options': 'nosniff' },
  };
}

async function* inTurn(...parts: (AsyncIterable<Buffer> | Iterable<Buffer>)[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield* part;
}
