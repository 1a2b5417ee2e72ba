import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { Agent } from 'undici';
import { type ByteRange, FileStoreError, type StoredFile } from '../files.ts';
import type { StoreAddress } from './address.ts';
import { ask, type Line, type Patience, resumed, type StoreAnswer, textOf, usualPatience } from './request.ts';
import { type ListPage, readListPage } from './xml.ts';

/** What is needed of a store of objects. Everything may throw `FileStoreError`. */
export interface ObjectStore {
  /** Replaces what was there. The store compares the bytes with their hash, and keeps nothing where they differ. */
  put(key: string, file: { path: string; size: number; sha256: string }): Promise<void>;
  /** undefined: there is no such object. */
  get(key: string, range?: ByteRange): Promise<(StoredFile & ObjectHead) | undefined>;
  head(key: string): Promise<ObjectHead | undefined>;
  delete(key: string): Promise<void>;
  list(prefix: string): AsyncIterable<ListPage['objects'][number]>;
  /** Whether the bucket is there and ours. Asks once. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface ObjectHead {
  size: number;
  /** Changes with the content. */
  etag: string;
  /** In hex, as it was when the object was stored; undefined: somebody else stored it. */
  sha256: string | undefined;
}

const mostListBytes = 8 * 1024 * 1024;
/** Pages without anything on them; a store may leave out what was deleted, but not for ever. */
const mostEmptyPages = 1_000;
const longestPutSeconds = 86_400;

export function openStore(address: StoreAddress, patience: Patience = usualPatience): ObjectStore {
  // The times of requests are kept by `ask` and by the body's reader.
  const agent = new Agent({
    connections: 64,
    headersTimeout: 0,
    bodyTimeout: 60_000,
    keepAliveTimeout: 4_000,
    connect: { timeout: 5_000 },
  });
  const line: Line = { address, agent, patience };

  async function page(query: Record<string, string>, options: { totalMs?: number } = {}): Promise<ListPage> {
    const wanted = { method: 'GET', key: '', query: { 'list-type': '2', ...query }, ...options } as const;
    const answer = await ask(line, wanted);
    if (answer.statusCode !== 200) throw new FileStoreError('It has no such bucket.');
    // The head came in its time; the body has as much again.
    const timer = setTimeout(
      () => answer.body.destroy(new Error('The listing did not come in time.')),
      patience.attemptMs,
    );
    try {
      return readListPage(await textOf(answer, mostListBytes));
    } catch (error) {
      throw new FileStoreError(`The listing of the bucket cannot be read. ${(error as Error).message}`, {
        isPassing: true,
      });
    } finally {
      clearTimeout(timer);
    }
  }

  async function* pages(query: Record<string, string>): AsyncGenerator<ListPage> {
    let token: string | undefined;
    for (let empty = 0; empty <= mostEmptyPages; ) {
      const found = await page({ ...query, ...(token !== undefined && { 'continuation-token': token }) });
      yield found;
      if (found.next === undefined) return;
      if (found.next === token) break;
      token = found.next;
      empty = found.objects.length === 0 ? empty + 1 : 0;
    }
    throw new FileStoreError('The listing of the bucket does not end.');
  }

  return {
    async put(key, { path, size, sha256 }) {
      const seconds = Math.min(longestPutSeconds, patience.graceMs / 1000 + size / patience.bytesPerSecond);
      const answer = await ask(line, {
        method: 'PUT',
        key,
        headers: {
          'content-length': String(size),
          'content-type': 'application/octet-stream',
          'x-amz-content-sha256': sha256,
          'x-amz-checksum-sha256': Buffer.from(sha256, 'hex').toString('base64'),
          'x-amz-meta-sha256': sha256,
        },
        ...(size > 0 && { body: () => createReadStream(path) }),
        attemptMs: seconds * 1000,
        totalMs: seconds * 3000,
      });
      await discard(answer);
      if (answer.statusCode !== 200) throw new FileStoreError(`It answered ${answer.statusCode} to a file.`);
    },
    async get(key, range) {
      const from = (start: number, etag?: string) =>
        ask(line, { method: 'GET', key, headers: rangeHeaders({ ...range, start }, etag) });
      const answer = await from(range?.start ?? 0);
      if (answer.statusCode === 416) {
        await discard(answer);
        const head = await this.head(key);
        return head && { ...head, bytes: Readable.from([]) };
      }
      const head = await headOf(answer);
      return head && { ...head, bytes: resumed(answer, { size: head.size, from, range, etag: head.etag, patience }) };
    },
    async head(key) {
      const answer = await ask(line, { method: 'HEAD', key });
      const head = await headOf(answer);
      await discard(answer);
      return head;
    },
    async delete(key) {
      await discard(await ask(line, { method: 'DELETE', key }));
    },
    async *list(prefix) {
      for await (const { objects } of pages({ prefix: address.prefix + prefix })) {
        for (const object of objects) {
          if (object.key.startsWith(address.prefix)) yield { ...object, key: object.key.slice(address.prefix.length) };
        }
      }
    },
    async check() {
      await page({ prefix: address.prefix, 'max-keys': '1' }, { totalMs: patience.attemptMs });
    },
    async close() {
      await agent.destroy();
    },
  };
}

/** A whole file is asked for without a range: of an empty one there is none. */
function rangeHeaders({ start, end }: ByteRange, etag: string | undefined): Record<string, string> {
  if (start === 0 && end === undefined) return {};
  return { range: `bytes=${start}-${end ?? ''}`, ...(etag !== undefined && { 'if-match': etag }) };
}

/** How large the whole object is, and which; undefined: there is none. Throws when the answer does not say. */
async function headOf(answer: StoreAnswer): Promise<ObjectHead | undefined> {
  const { statusCode: status, headers } = answer;
  if (status === 404) {
    await discard(answer);
    return undefined;
  }
  const length = headers['content-length'];
  const size = Number(status === 206 ? /\/(\d+)$/.exec(String(headers['content-range']))?.[1] : length);
  if ((status !== 200 && status !== 206) || length === undefined || !Number.isSafeInteger(size) || size < 0) {
    await discard(answer);
    throw new FileStoreError('Its answer does not say how large the file is.', { isPassing: true });
  }
  const sha256 = headers['x-amz-meta-sha256'];
  return {
    size,
    etag: String(headers['etag'] ?? ''),
    sha256: typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256) ? sha256 : undefined,
  };
}

/** Lets go of the connection, whatever comes on it. */
async function discard({ body }: StoreAnswer): Promise<void> {
  body.on('error', () => {}).destroy();
}
