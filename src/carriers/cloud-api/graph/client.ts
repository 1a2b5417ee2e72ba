import { Readable } from 'node:stream';
import { Agent, FormData as UndiciForm } from 'undici';
import type { Log } from '../../../platform/log.ts';
import { within } from '../../../platform/time/pause.ts';
import { CarrierRefusal } from '../../ports/carriers.ts';
import type { Sender } from '../../ports/chat.ts';
import { exchange, NoAnswer, sentenceOf } from './exchange.ts';

export { NoAnswer };

export interface GraphRequest {
  method: 'GET' | 'POST' | 'DELETE';
  /** Without the version: `'123/messages'`. */
  path: string;
  query?: Record<string, string | number>;
  /** A plain object leaves as JSON, all else as it is. */
  body?: object | FormData | Readable | Uint8Array;
  headers?: Record<string, string>;
  /** Instead of the usual time, for what takes longer: files. */
  timeoutMs?: number;
}

export interface GraphAnswer {
  status: number;
  /** Parsed JSON; undefined for anything else. */
  body: unknown;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The platform's HTTP interface. */
export interface Graph {
  /** Any answer is an answer, whatever its status. Throws `NoAnswer`. */
  call(sender: Sender, request: GraphRequest): Promise<GraphAnswer>;
  /** The bytes at an address the platform named, the last of them within the time. Throws `NoAnswer`, and `CarrierRefusal` for a status other than 200. */
  download(sender: Sender, url: string, limitMs: number): Promise<Download>;
  /** Lets requests under way finish for a moment, then breaks them off. */
  close(): Promise<void>;
}

export interface Download {
  mimeType: string;
  bytes: AsyncIterable<Uint8Array>;
}

export interface GraphOptions {
  /** `https://graph.facebook.com`, without a version. */
  url: string;
  version: string;
  /** For the whole exchange, waiting for a connection included. */
  timeoutMs: number;
  log: Log;
}

/** Two senders' batches of 100 messages leave side by side; what is beyond waits for a connection. */
const mostConnections = 256;
/** The platform closes idle connections after a time it does not tell; one closed under a message leaves it unknown. */
const idleMs = 4_000;
const closingMs = 5_000;

export function makeGraph({ url, version, timeoutMs, log }: GraphOptions): Graph {
  const agent = new Agent({
    connections: mostConnections,
    allowH2: false,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    connect: { timeout: timeoutMs },
    // An exchange has one time limit, kept by `exchange`; a download has a limit for silence.
    headersTimeout: 0,
    bodyTimeout: timeoutMs,
  });
  const base = new URL(url);
  const prefix = `${base.pathname.replace(/\/$/, '')}/${version}/`;

  return {
    async call(sender, { method, path, query, body, headers, timeoutMs: limitMs = timeoutMs }) {
      const content = contentOf(body);
      const request = {
        origin: base.origin,
        path: prefix + path,
        method,
        ...(query && { query }),
        headers: { ...headersOf(sender), ...content.headers, ...headers },
        body: content.body,
      };
      try {
        const { status, headers, bytes } = await exchange(agent, request, limitMs);
        log.debug({ method, path, status }, 'The Cloud API answered');
        return { status, headers, body: parsed(bytes.toString('utf8')) };
      } catch (error) {
        const { message, reached } = error as NoAnswer;
        log.debug({ method, path, error: message, reached }, 'The Cloud API did not answer');
        throw error;
      }
    },

    download: (sender, address, limitMs) => download(agent, sender, address, { timeoutMs, limitMs }),

    async close() {
      const closed = await within(
        closingMs,
        agent.close().then(() => true),
      );
      if (!closed) await agent.destroy();
    },
  };
}

/** A file, as a stream. The time is one for the connection, the answer and its last byte, and another for silence. */
async function download(
  agent: Agent,
  sender: Sender,
  address: string,
  { timeoutMs, limitMs }: { timeoutMs: number; limitMs: number },
): Promise<Download> {
  const { origin, pathname, search } = new URL(address);
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(new Error('Too late.')), limitMs);
  try {
    const answer = await agent.request({
      origin,
      path: pathname + search,
      method: 'GET',
      headers: headersOf(sender),
      headersTimeout: timeoutMs,
      signal: giveUp.signal,
    });
    answer.body.once('close', () => clearTimeout(timer));
    if (answer.statusCode !== 200) {
      // What else it says may never end.
      answer.body.on('error', () => {}).destroy();
      throw refusedDownload(answer.statusCode);
    }
    const mimeType = String(answer.headers['content-type'] ?? 'application/octet-stream');
    return { mimeType, bytes: answer.body };
  } catch (error) {
    clearTimeout(timer);
    if (error instanceof CarrierRefusal) throw error;
    throw new NoAnswer(sentenceOf(error as Error), true, error);
  }
}

/** The platform is said to refuse downloads that do not say who asks. */
const headersOf = (sender: Sender): Record<string, string> => ({
  authorization: `Bearer ${sender.settings.access_token ?? ''}`,
  'user-agent': 'parley',
});

function contentOf(body: GraphRequest['body']) {
  if (body === undefined) return { headers: {}, body: null };
  if (body instanceof FormData) return { headers: {}, body: ownForm(body) };
  if (body instanceof Readable || body instanceof Uint8Array) return { headers: {}, body };
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** The library knows its own forms only, not Node's. */
function ownForm(form: FormData): UndiciForm {
  const own = new UndiciForm();
  for (const [name, value] of form) {
    if (typeof value === 'string') own.append(name, value);
    else own.append(name, value, value.name);
  }
  return own;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An address lives five minutes (404 afterwards), a token can be replaced: a later try asks for both anew. */
function refusedDownload(status: number): CarrierRefusal {
  const temporary = status >= 500 || [401, 404, 408, 429].includes(status);
  return new CarrierRefusal(String(status), `The file was refused with status ${status}.`, { temporary });
}
