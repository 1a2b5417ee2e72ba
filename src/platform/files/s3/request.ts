import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import aws4 from 'aws4';
import { type Agent, type Dispatcher, request } from 'undici';
import { type ByteRange, FileStoreError } from '../files.ts';
import type { StoreAddress } from './address.ts';
import { readErrorCode } from './xml.ts';

export interface StoreRequest {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Behind the prefix; empty: the bucket itself. */
  key: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** Made anew for every attempt. */
  body?: () => NodeJS.ReadableStream;
  /** Of one attempt, up to the head of the answer. */
  attemptMs?: number;
  /** Of all attempts together. */
  totalMs?: number;
}

export type StoreAnswer = Dispatcher.ResponseData;

export interface Line {
  address: StoreAddress;
  agent: Agent;
  patience: Patience;
}

/** How long we wait for the store. */
export interface Patience {
  /** For the head of an answer. */
  attemptMs: number;
  /** For one with all its attempts. */
  totalMs: number;
  /** Between attempts; each is varied, so that processes do not return together. */
  pausesMs: readonly number[];
  /** The slowest rate of files both ways, and how far they may be behind it. */
  bytesPerSecond: number;
  graceMs: number;
}

export const usualPatience: Patience = {
  attemptMs: 6_000,
  totalMs: 15_000,
  pausesMs: [200, 600, 1_800],
  bytesPerSecond: 32 * 1024,
  graceMs: 20_000,
};

const mostErrorBytes = 64 * 1024;
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Asks until there is an answer that says something; 404 is one. Throws `FileStoreError`. */
export async function ask(line: Line, wanted: StoreRequest): Promise<StoreAnswer> {
  const { totalMs = line.patience.totalMs } = wanted;
  const end = performance.now() + totalMs;
  for (let attempt = 0; ; attempt++) {
    const failure = await tryOnce(line, wanted, end - performance.now());
    if (!(failure instanceof FileStoreError)) return failure;
    const waitMs = (line.patience.pausesMs[attempt] ?? Number.POSITIVE_INFINITY) * (0.5 + Math.random());
    if (!failure.isPassing || performance.now() + waitMs >= end) throw failure;
    await pause(waitMs);
  }
}

async function tryOnce(line: Line, wanted: StoreRequest, leftMs: number): Promise<StoreAnswer | FileStoreError> {
  const giveUp = new AbortController();
  const limitMs = Math.min(wanted.attemptMs ?? line.patience.attemptMs, leftMs);
  const timer = setTimeout(
    () => giveUp.abort(new Error(`No answer within ${Math.ceil(limitMs / 1000)} seconds.`)),
    limitMs,
  );
  try {
    const answer = await send(line, wanted, giveUp.signal);
    const { statusCode: status } = answer;
    if ((status >= 200 && status < 300) || status === 416) return answer;
    const code = readErrorCode(await textOf(answer, mostErrorBytes));
    // Of a HEAD there is no body; what is missing is the object, as the bucket was there at the start.
    if (status === 404 && code !== 'NoSuchBucket') return answer;
    return refusal(status, code);
  } catch (error) {
    return new FileStoreError(sentenceOf(error as Error), { isPassing: true });
  } finally {
    clearTimeout(timer);
  }
}

function send({ address, agent }: Line, wanted: StoreRequest, signal: AbortSignal): Promise<StoreAnswer> {
  const { origin, host, pathname } = new URL(address.endpoint);
  const base = `${pathname.replace(/\/$/, '')}${address.isPathStyle ? `/${address.bucket}` : ''}`;
  const query = new URLSearchParams(wanted.query).toString();
  const key = wanted.key === '' ? '' : address.prefix + wanted.key;
  const { method } = wanted;
  const signed = aws4.sign(
    {
      service: 's3',
      region: address.region,
      host,
      method,
      path: `${base}/${key}${query && `?${query}`}`,
      headers: { host, 'x-amz-content-sha256': emptyHash, ...wanted.headers },
    },
    address.credentials,
  );
  const body = wanted.body?.() ?? null;
  // A file that cannot be read any more ends the request, and is told of there.
  body?.on('error', () => {});
  return request(`${origin}${signed.path}`, {
    method,
    headers: signed.headers,
    body: body as Dispatcher.RequestOptions['body'],
    dispatcher: agent,
    signal,
  });
}

/** A whole small body, within the time that the request's signal gives it. */
export async function textOf({ body }: StoreAnswer, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostBytes) throw new Error('Its answer is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const passingCodes = new Set([
  'RequestTimeout',
  'BadDigest',
  'XAmzContentSHA256Mismatch',
  'IncompleteBody',
  'SlowDown',
]);

const explanations: Record<string, string> = {
  NoSuchBucket: 'It has no such bucket.',
  InvalidAccessKeyId: 'It does not know the access key.',
  SignatureDoesNotMatch: 'The secret does not fit the access key.',
  RequestTimeTooSkewed: 'The clock of this machine is not right.',
  ExpiredToken: 'The session token has expired.',
  AccessDenied: 'The keys do not allow it.',
  PermanentRedirect: 'The bucket is in another region, or at another endpoint.',
  AuthorizationHeaderMalformed: 'The bucket is in another region.',
};

function refusal(status: number, code: string): FileStoreError {
  const isPassing = status >= 500 || status === 429 || status === 408 || passingCodes.has(code);
  const said = code ? `${status} ${code}` : String(status);
  return new FileStoreError(`It answered ${said}. ${explanations[code] ?? ''}`.trim(), { isPassing });
}

const sentences: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection broke.',
  EPIPE: 'The connection broke.',
  UND_ERR_SOCKET: 'The connection broke.',
  ENOTFOUND: 'Its name has no address.',
  EAI_AGAIN: 'Its name could not be looked up.',
  UND_ERR_CONNECT_TIMEOUT: 'No connection came about in time.',
};

/** In our words where we have them. */
function sentenceOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined) return sentences[code] ?? `No answer came (${code}).`;
  return error.message;
}

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
