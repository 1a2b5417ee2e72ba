import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as SecureServer, type TLSSocket } from 'node:tls';
import { ApiError } from '../../errors.ts';
import { clientKey, type IsProxy } from './client-address.ts';
import { refuseOnSocket } from './protocol-errors.ts';

export interface ConnectionLimits {
  most: number;
  /** The most connections of one client. Those of the operator's own proxies are not limited so, because they carry everybody's. */
  mostPerAddress: number;
  /** The time for the request line and the headers, from the first byte of a connection on. */
  headersTimeoutMs: number;
  /** In each span of this length, an incomplete body has to bring `minBytesPerSecond` on average. */
  bodyTimeoutMs: number;
  minBytesPerSecond: number;
  /** A connection on which nothing moves for so long is closed, whoever it waits for. */
  idleTimeoutMs: number;
}

export const usualLimits: ConnectionLimits = {
  most: 10_000,
  mostPerAddress: 1_000,
  headersTimeoutMs: 30_000,
  bodyTimeoutMs: 30_000,
  minBytesPerSecond: 500,
  idleTimeoutMs: 300_000,
};

interface Spoken {
  /** The last request that came over it. */
  request?: IncomingMessage | undefined;
  response?: ServerResponse | undefined;
  /** The last answer that took so long that Node now watches the connection for it. */
  watched?: ServerResponse | undefined;
  /** The span in which the body of a request is watched. */
  span?: { request: IncomingMessage; sinceMs: number; bytes: number } | undefined;
}

export interface ConnectionGuard {
  /** How long a handshake of TLS may take. */
  handshakeTimeoutMs: number;
  attach(server: Server): void;
  /** To be called for each request; costs no more than a look-up. */
  note(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * Limits connections: how many there are, how many one client has, and how long a client may take to send what it announced. A
 * large upload may take hours as long as it moves; a body that trickles is refused with 408.
 */
export function makeConnectionGuard(limits: ConnectionLimits, isProxy: IsProxy, newId: () => string): ConnectionGuard {
  /** Every connection, by whose it is. */
  const open = new Map<Socket, string | undefined>();
  const byKey = new Map<string, number>();
  /** The connections that requests come over; with TLS, from the end of the handshake on. */
  const speaking = new Map<Socket, Spoken>();

  const enter = (socket: Socket, isSecure: boolean): void => {
    const address = socket.remoteAddress ?? '';
    const key = isProxy(address, 0) ? undefined : clientKey(address);
    const ofKey = key === undefined ? 0 : (byKey.get(key) ?? 0);
    if (open.size >= limits.most || ofKey >= limits.mostPerAddress) {
      const isFull = open.size >= limits.most;
      // Answering would take a handshake that we cannot afford.
      if (isSecure) socket.destroy();
      else
        refuse(
          socket,
          isFull ? 'The server has too many open connections.' : 'Too many open connections from this address.',
        );
      return;
    }
    open.set(socket, key);
    if (key !== undefined) byKey.set(key, ofKey + 1);
    socket.once('close', () => leave(socket));
    if (!isSecure) listen(socket);
  };
  const listen = (socket: Socket): void => {
    speaking.set(socket, {});
    socket.setTimeout(limits.idleTimeoutMs);
    socket.once('close', () => speaking.delete(socket));
  };
  const leave = (socket: Socket): void => {
    const key = open.get(socket);
    open.delete(socket);
    if (key === undefined) return;
    const left = byKey.get(key)! - 1;
    if (left === 0) byKey.delete(key);
    else byKey.set(key, left);
  };
  const refuse = (socket: Socket, detail: string): void => {
    refuseOnSocket(socket, new ApiError('unavailable', { detail, headers: { 'retry-after': '1' } }), newId());
    // Not waited for: there are too many connections already.
    socket.destroySoon();
  };

  const review = (): void => {
    const nowMs = performance.now();
    for (const [socket, spoken] of speaking) {
      const { request, response } = spoken;
      if (response && response !== spoken.watched && !response.writableFinished) {
        spoken.watched = response;
        socket.setTimeout(limits.idleTimeoutMs);
      }
      if (!request || request.complete) {
        // Lets go of requests and answers that have ended.
        if (response?.writableFinished) spoken.request = spoken.response = spoken.watched = undefined;
        spoken.span = undefined;
      } else if (spoken.span?.request !== request || request.readableLength > 0) {
        // The body begins, or it is we who have not read what has come.
        spoken.span = { request, sinceMs: nowMs, bytes: socket.bytesRead };
      } else if (nowMs - spoken.span.sinceMs >= limits.bodyTimeoutMs) {
        const seconds = (nowMs - spoken.span.sinceMs) / 1000;
        if (socket.bytesRead - spoken.span.bytes < limits.minBytesPerSecond * seconds) giveUp(socket, response);
        spoken.span = { request, sinceMs: nowMs, bytes: socket.bytesRead };
      }
    }
  };
  const giveUp = (socket: Socket, response: ServerResponse | undefined): void => {
    if (response?.headersSent) socket.destroy();
    else refuseOnSocket(socket, new ApiError('request_timeout'), newId());
  };

  return {
    handshakeTimeoutMs: limits.headersTimeoutMs,
    attach(server) {
      server.headersTimeout = limits.headersTimeoutMs;
      // No limit for the whole request: a large file may take its time.
      server.requestTimeout = 0;
      // No timer for connections at work: one that moves with every read and write costs more than the gate. See `review`.
      server.timeout = 0;
      const isSecure = server instanceof SecureServer;
      server.on('connection', (socket: Socket) => enter(socket, isSecure));
      if (isSecure) server.on('secureConnection', (socket: TLSSocket) => listen(socket));
      let timer: NodeJS.Timeout | undefined;
      server.on('listening', () => {
        timer ??= setInterval(review, Math.min(1_000, limits.bodyTimeoutMs / 4, limits.idleTimeoutMs / 4)).unref();
      });
      server.on('close', () => clearInterval(timer));
    },
    note(request, response) {
      const spoken = speaking.get(request.socket);
      if (!spoken) return;
      spoken.request = request;
      spoken.response = response;
    },
  };
}
