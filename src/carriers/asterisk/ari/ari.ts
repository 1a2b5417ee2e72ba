import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Agent, type Dispatcher, request } from 'undici';
import { inTime } from '../../../platform/time/pause.ts';

/** Asterisk said no, or nothing at all. */
export class AriError extends Error {
  override name = 'AriError';
  /** 0: no answer came, and it is not known whether the request was carried out. */
  readonly status: number;

  constructor(status: number, message: string, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }
}

export interface AriAccess {
  /** Without a slash at the end, and without `/ari`. */
  url: string;
  user: string;
  password: string;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface AriOptions {
  query?: Record<string, string | number>;
  body?: object;
  limitMs?: number;
}

/** The Asterisk REST Interface. Paths are given as segments, whatever these hold. */
export interface Ari {
  ask(method: Method, path: string[], options?: AriOptions): Promise<unknown>;
  /** Writes the answer to a file. */
  download(path: string[], to: string, limitMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** Commands wait in a channel's queue; one that waits for longer is of no use any more. */
const usualLimitMs = 10_000;
const downloadLimitMs = 120_000;
const mostConnections = 32;
/** Of JSON: some ten thousand channels. */
const mostBytes = 16 * 1024 * 1024;
/** Of a recording: half a day. */
const mostFileBytes = 1024 ** 3;

export const isMissing = (error: unknown): boolean => error instanceof AriError && error.status === 404;

export function makeAri({ url, user, password }: AriAccess): Ari {
  const agent = new Agent({ connections: mostConnections, connect: { timeout: 5_000 } });
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

  async function exchange(
    method: Method,
    path: string[],
    { query = {}, body }: AriOptions,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const target = new URL(`${url}/ari/${path.map(encodeURIComponent).join('/')}`);
    for (const [name, value] of Object.entries(query)) target.searchParams.set(name, String(value));
    const answer = await request(target, {
      method,
      dispatcher: agent,
      signal,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (answer.statusCode < 300) return answer;
    throw new AriError(answer.statusCode, reasonIn(answer.statusCode, await textOf(answer)));
  }

  return {
    async ask(method, path, options = {}) {
      try {
        return await inTime(options.limitMs ?? usualLimitMs, async (signal) => {
          const text = await textOf(await exchange(method, path, options, signal));
          return text === '' ? undefined : JSON.parse(text);
        });
      } catch (error) {
        throw asAriError(error);
      }
    },
    async download(path, to, limitMs = downloadLimitMs) {
      try {
        await inTime(limitMs, async (signal) => {
          const { body } = await exchange('GET', path, {}, signal);
          await pipeline(upTo(mostFileBytes, body), createWriteStream(to, { mode: 0o600 }), { signal });
        });
      } catch (error) {
        throw asAriError(error);
      }
    },
    close: () => agent.destroy(),
  };
}

async function textOf({ body }: Dispatcher.ResponseData): Promise<string> {
  return Buffer.concat(await Array.fromAsync(upTo(mostBytes, body))).toString('utf8');
}

/** The bytes of an answer that is no larger; a larger one is broken off. */
async function* upTo(most: number, bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > most) throw new AriError(0, 'Asterisk answered more than can be taken.');
    yield chunk;
  }
}

function reasonIn(status: number, text: string): string {
  if (status === 401) return 'Asterisk refuses the user or the password.';
  try {
    const { message, error } = JSON.parse(text) as { message?: unknown; error?: unknown };
    const reason = message ?? error;
    if (typeof reason === 'string') return `Asterisk answered ${status}: ${reason}`;
  } catch {
    // No JSON: the status has to do.
  }
  return `Asterisk answered ${status}.`;
}

function asAriError(error: unknown): AriError {
  if (error instanceof AriError) return error;
  const { code = '', name } = error as NodeJS.ErrnoException;
  const reason = name === 'TimeoutError' ? 'not in time' : code;
  return new AriError(0, `Asterisk did not answer${reason && ` (${reason})`}.`, error);
}
