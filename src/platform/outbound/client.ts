import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { type Guard, hostOf, RefusedAddress } from './guard.ts';

/** A POST to an address that a tenant gave us. */
export interface OutboundRequest {
  url: string;
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
  /** Rejects when no answer came. */
  post(request: OutboundRequest): Promise<OutboundAnswer>;
  close(): void;
}

export interface OutboundOptions {
  guard: Guard;
}

const idleMs = 4_000;
const mostIdlePerHost = 8;

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

  const send = (request: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer> =>
    new Promise((succeed, fail) => {
      const url = new URL(request.url);
      const isHttps = url.protocol === 'https:';
      const agent = agents[isHttps ? 'https:' : 'http:'];
      const headers = { ...request.headers, 'content-length': Buffer.byteLength(request.body) };
      const sent = (isHttps ? https : http).request(url, { method: 'POST', agent, lookup, headers, signal });
      sent.on('response', (answer) => {
        const { statusCode: status = 0, headers } = answer;
        readStart(answer, request.mostBytes).then((text) => succeed({ status, headers, text }));
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The other side closed an idle connection just as we used it: that says nothing about the request.
        const stale = sent.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        if (stale && !signal.aborted) send(request, signal).then(succeed, fail);
        else fail(error);
      });
      sent.end(request.body);
    });

  return {
    async post(request) {
      // A socket does not look up what is an address already.
      const host = hostOf(new URL(request.url));
      if (isIP(host) !== 0 && !guard.isAllowed(host)) throw new RefusedAddress(host);
      const timeout = AbortSignal.timeout(request.timeoutMs);
      const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout;
      return send(request, signal).catch((error: Error) => {
        throw timeout.aborted ? new Error(`No answer within ${request.timeoutMs / 1000} seconds.`) : error;
      });
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** The first bytes of an answer. One that breaks off is as long as it got: its status has been received. */
function readStart(answer: http.IncomingMessage, mostBytes: number): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (): void => {
      const start = Buffer.concat(chunks).subarray(0, mostBytes);
      // PostgreSQL's text cannot hold NUL.
      resolve(start.toString('utf8').replaceAll('\0', '\uFFFD'));
    };
    answer.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > mostBytes) answer.destroy();
    });
    answer.on('error', () => {});
    answer.on('close', finish);
  });
}
