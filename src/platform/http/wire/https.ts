import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { IsProxy } from './client-address.ts';

export interface HstsOptions {
  /** 0: the header is not sent. */
  seconds: number;
  /** Whether a request that a trusted proxy took over HTTPS gets it, too. */
  behindProxy: boolean;
}

/** Whether the connection itself is encrypted. */
export const isEncrypted = ({ socket }: Pick<IncomingMessage, 'socket'>): boolean =>
  (socket as { encrypted?: boolean }).encrypted === true;

/**
 * The value of Strict-Transport-Security (RFC 6797) for a request; undefined: it gets none. Over plain HTTP the header must not be sent
 * (7.2), so of a request that came through a proxy only what a trusted one says counts.
 */
export function makeHsts(
  { seconds, behindProxy }: HstsOptions,
  isProxy: IsProxy,
): (request: IncomingMessage) => string | undefined {
  if (seconds === 0) return () => undefined;
  const value = `max-age=${seconds}`;
  return (request) => {
    if (isEncrypted(request)) return value;
    if (!behindProxy || !isProxy(request.socket.remoteAddress ?? '', 0)) return undefined;
    const said = request.headers['x-forwarded-proto'];
    return typeof said === 'string' && said.split(',').at(-1)!.trim() === 'https' ? value : undefined;
  };
}

const patienceMs = 10_000;
const mostConnections = 1_000;
/** A name or an address with its port, as a Host may be (RFC 9110, 7.2); nothing that could lead elsewhere. */
const hostPattern = /^(?<host>[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:\d{1,5})?$/;

export interface RedirectOptions {
  /** PUBLIC_URL; empty: the name that was called. */
  publicUrl: string;
  /** Where HTTPS is, if PUBLIC_URL does not say. */
  port: number;
}

/** A server for plain HTTP that only says where HTTPS is; it is not listening yet. A method and a body are kept (308). */
export function makeRedirectServer({ publicUrl, port }: RedirectOptions): Server {
  const server = createServer({ headersTimeout: patienceMs, requestTimeout: patienceMs }, (request, response) => {
    const path = request.url?.startsWith('/') ? request.url : '/';
    const name = hostPattern.exec(request.headers.host ?? '')?.groups?.['host'];
    const origin = publicUrl ? new URL(publicUrl).origin : name && `https://${name}${port === 443 ? '' : `:${port}`}`;
    const answer = origin ? { status: 308, headers: { location: origin + path } } : { status: 400, headers: {} };
    response.writeHead(answer.status, { ...answer.headers, 'content-length': '0', connection: 'close' }).end();
  });
  server.maxConnections = mostConnections;
  server.setTimeout(patienceMs, (socket) => socket.destroy());
  server.on('clientError', (_error, socket) => socket.destroy());
  return server;
}
