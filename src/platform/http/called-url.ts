import type { FastifyRequest } from 'fastify';

/**
 * The address that was called, as the outside world sees it: below PUBLIC_URL, whose path a proxy has taken off. Nobody is refused for a Host
 * that names none, after the work was done: links then name the machine itself.
 */
export const calledUrl = ({ url, protocol, host }: FastifyRequest, publicUrl: string): URL =>
  URL.parse((publicUrl.replace(/\/+$/, '') || `${protocol}://${host}`) + url) ?? new URL(url, 'http://localhost');

/** Another address of this server, beside the one of the API that was called. */
export function besideCalled({ origin, pathname }: URL, path: string): string {
  const api = Math.max(pathname.lastIndexOf('/v2/'), pathname.lastIndexOf('/v3/'));
  return origin + pathname.slice(0, Math.max(api, 0)) + path;
}
