import { Readable } from 'node:stream';
import { type ByteRange, FileStoreError } from '../files.ts';
import { type Patience, type StoreAnswer, sentenceOf } from './request.ts';

const mostResumptions = 3;

export interface ResumeOptions {
  /** Of the whole object. */
  size: number;
  range: ByteRange | undefined;
  etag: string;
  patience: Patience;
  /** The rest of the same object. */
  from(start: number, etag: string): Promise<StoreAnswer>;
}

/**
 * The bytes of an answer. Where they break off, the rest of the same object is asked for; a body that ends early for good, or comes too
 * slowly, is an error, so that nobody takes a part for the whole.
 */
export function resumed(first: StoreAnswer, { size, range, etag, patience, from }: ResumeOptions): Readable {
  const start = range?.start ?? 0;
  const end = Math.min(range?.end ?? size - 1, size - 1) + 1;

  async function* read(): AsyncGenerator<Buffer> {
    let answer = first;
    let at = start;
    let waitedMs = 0;
    const leftMs = () => patience.graceMs + ((at - start) / patience.bytesPerSecond) * 1000 - waitedMs;
    for (let failures = 0; ; ) {
      try {
        for await (const chunk of timed(answer, leftMs)) {
          waitedMs += chunk.waitedMs;
          at += chunk.bytes.length;
          if (at > end) throw new FileStoreError('It sent more than was asked for.');
          failures = 0;
          yield chunk.bytes;
        }
        if (at === end) return;
        throw new Error('The file broke off.');
      } catch (error) {
        if (error instanceof FileStoreError || ++failures > mostResumptions || etag === '') throw asStoreError(error);
      } finally {
        answer.body.on('error', () => {}).destroy();
      }
      answer = await from(at, etag);
      if (answer.statusCode !== (at === 0 ? 200 : 206))
        throw new FileStoreError('The rest of a file is not to be had.');
    }
  }
  const bytes = Readable.from(read(), { objectMode: false });
  // Nobody began to read.
  bytes.once('close', () => first.body.on('error', () => {}).destroy());
  return bytes;
}

const asStoreError = (error: unknown): FileStoreError =>
  error instanceof FileStoreError ? error : new FileStoreError(sentenceOf(error as Error), { isPassing: true });

/** Counts the time that we wait for the store, and not the time that our reader takes. */
async function* timed(
  { body }: StoreAnswer,
  leftMs: () => number,
): AsyncGenerator<{ bytes: Buffer; waitedMs: number }> {
  const chunks = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  for (;;) {
    const began = performance.now();
    const timer = setTimeout(() => body.destroy(new Error('The file comes too slowly.')), Math.max(0, leftMs()));
    const next = await chunks.next().finally(() => clearTimeout(timer));
    if (next.done) return;
    yield { bytes: next.value, waitedMs: performance.now() - began };
  }
}
