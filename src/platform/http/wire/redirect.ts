import { createServer, type Server } from 'node:http';

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
