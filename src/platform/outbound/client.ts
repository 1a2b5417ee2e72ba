import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { type Guard, hostOf, RefusedAddress } from './guard.ts';

/** A request to an address that a tenant gave us. */
export interface OutboundRequest {
  url: string;
  /** POST unless given. */
  method?: 'GET' | 'POST';
  headers: Record<string, string>;
  body: string;
  /** For the whole exchange. */
  timeoutMs: number;
  /** How much of the answer is read; the rest is cut off. */
  mostBytes: number;
  signal?: AbortSignal;
}

export interface OutboundAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

/** Sends requests to allowed addresses only. Redirects are answers like others: nothing follows them. */
export interface Outbound {
  /** Rejects when no answer came. Settles within the request's time, whatever the other side does. */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
  /** The same, for what is a POST. */
  post(request: OutboundRequest): Promise<OutboundAnswer>;
  close(): void;
}

export interface OutboundOptions {
  guard: Guard;
}

const idleMs = 4_000;
const mostIdlePerHost = 8;
/** 1xx responses before the answer; one or two are usual (103 Early Hints). */
const mostProvisional = 20;

export function makeOutbound({ guard }: OutboundOptions): Outbound {
  // Sockets are kept per name, and each is connected to an address that was checked when it was opened.
  const options = { keepAlive: true, maxFreeSockets: mostIdlePerHost, timeout: idleMs };
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };

  // Called by the socket itself: what is checked here is what it connects to. TLS still asks for the name.
  const lookup: LookupFunction = (host, { all }, done) => {
    guard.addressesOf(host).then(
      (addresses) => {
        const [first] = addresses;
        if (!first) done(new Error(`${host} has no address.`), '');
        else if (all) done(null, addresses);
        else done(null, first.address, first.family);
      },
      (error: Error) => done(error, ''),
    );
  };

  const exchange = async (request: OutboundRequest): Promise<OutboundAnswer> => {
    // A socket does not look up what is an address already.
    const host = hostOf(new URL(request.url));
    if (isIP(host) !== 0 && !guard.isAllowed(host)) throw new RefusedAddress(host);
    const giveUp = new AbortController();
    const late = (): Error => new Error(`No answer within ${request.timeoutMs / 1000} seconds.`);
    const timer = setTimeout(() => giveUp.abort(late()), request.timeoutMs);
    const stop = (): void => giveUp.abort(request.signal?.reason);
    if (request.signal?.aborted) stop();
    request.signal?.addEventListener('abort', stop);
    try {
      return await send(request, { agents, lookup, signal: giveUp.signal });
    } finally {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', stop);
    }
  };

  return {
    send: exchange,
    post: exchange,
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

interface Means {
  agents: { 'http:': http.Agent; 'https:': https.Agent };
  lookup: LookupFunction;
  /** Aborted when it is too late, with the error to fail with. */
  signal: AbortSignal;
}

/**
 * One exchange. It settles when the answer is complete or long enough, when the connection ends in whatever way, and at the
 * latest when the signal says so: no event of the request is relied upon for that. Once it has settled its socket is either
 * idle, after a complete answer, or destroyed.
 */
function send(request: OutboundRequest, means: Means): Promise<OutboundAnswer> {
  const { agents, lookup, signal } = means;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const url = new URL(request.url);
    const isHttps = url.protocol === 'https:';
    const agent = agents[isHttps ? 'https:' : 'http:'];
    const { method = 'POST' } = request;
    const length = method === 'POST' ? { 'content-length': Buffer.byteLength(request.body) } : {};
    const headers = { ...request.headers, ...length };
    const sent = (isHttps ? https : http).request(url, { method, agent, lookup, headers });
    let head: { status: number; headers: http.IncomingHttpHeaders } | undefined;
    const body = makeStart(request.mostBytes);
    let provisional = 0;
    let isOver = false;

    /** One that breaks off is as long as it got: its status has been received. */
    const settle = (error?: Error): void => {
      if (isOver) return;
      isOver = true;
      signal.removeEventListener('abort', giveUp);
      if (head) resolve({ ...head, text: body.text() });
      else reject(error ?? new Error('The connection was closed without an answer.'));
    };
    const drop = (error?: Error): void => {
      settle(error);
      sent.destroy();
    };
    const giveUp = (): void => drop(signal.reason);
    signal.addEventListener('abort', giveUp);

    sent.on('response', (answer) => {
      head = { status: answer.statusCode ?? 0, headers: answer.headers };
      answer.on('data', (chunk: Buffer) => {
        if (body.add(chunk)) drop();
      });
      // Not an error of ours: what came before is the answer.
      answer.on('error', () => {});
      answer.on('close', () => drop());
      answer.on('end', () => settle());
    });
    // 101: nobody asked for another protocol. From here on the socket is not the request's any more.
    sent.on('upgrade', (answer, socket) => {
      socket.on('error', () => {}).destroy();
      head = { status: answer.statusCode ?? 0, headers: answer.headers };
      settle();
    });
    sent.on('information', () => {
      if (++provisional > mostProvisional) drop(new Error('The answer never got beyond its provisional responses.'));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The other side closed an idle connection just as we used it: that says nothing about the request.
      const isStale = sent.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      if (!isStale || isOver || head) return settle(error);
      isOver = true;
      signal.removeEventListener('abort', giveUp);
      send(request, means).then(resolve, reject);
    });
    sent.on('close', () => {
      if (!head) settle();
    });
    sent.end(method === 'POST' ? request.body : undefined);
  });
}

/** The first bytes of an answer, as text. */
function makeStart(mostBytes: number) {
  const chunks: Buffer[] = [];
  let length = 0;
  return {
    /** Whether that was more than enough. */
    add(chunk: Buffer): boolean {
      chunks.push(chunk);
      length += chunk.length;
      return length > mostBytes;
    },
    // PostgreSQL's text cannot hold NUL.
    text: (): string => Buffer.concat(chunks).subarray(0, mostBytes).toString('utf8').replaceAll('\0', '\uFFFD'),
  };
}

export interface FetchOptions {
  /** For each exchange. */
  timeoutMs: number;
  mostBytes: number;
}

/** What libraries call in place of `fetch`. */
export type GuardedFetch = (
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: unknown; signal?: AbortSignal | null },
) => Promise<Response>;

/** Answers without a body, of which `Response` takes none (Fetch, 2.2.3). */
const bodiless = [204, 205, 304];

/** A `fetch` for libraries that goes to allowed addresses only, follows no redirect, and ends in time. */
export const makeFetch =
  (outbound: Outbound, { timeoutMs, mostBytes }: FetchOptions): GuardedFetch =>
  async (url, { method = 'GET', headers = {}, body, signal }) => {
    if (method !== 'GET' && method !== 'POST') throw new Error(`${method} is not asked for here.`);
    const { status, text, ...answer } = await outbound.send({
      url,
      method,
      headers,
      body: textOf(body),
      timeoutMs,
      mostBytes,
      ...(signal && { signal }),
    });
    if (status < 200 || status > 599) throw new Error(`The server answered with status ${status}.`);
    const given = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    );
    return new Response(bodiless.includes(status) ? null : text, { status, headers: given });
  };

function textOf(body: unknown): string {
  if (body === undefined || body === null) return '';
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString('utf8');
  return String(body);
}
