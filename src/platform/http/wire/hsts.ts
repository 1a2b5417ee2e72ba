import type { IncomingMessage } from 'node:http';
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
