import type { FastifyRequest } from 'fastify';

const name = 'parley_session';
const pair = new RegExp(`(?:^|;)\\s*${name}=([^;\\s]+)`);

/** The secret in the session's cookie. */
export const readSessionCookie = ({ headers }: FastifyRequest): string | undefined =>
  headers.cookie === undefined ? undefined : pair.exec(headers.cookie)?.[1];

/** Whether the header is there that only a page of our own can add: we allow no other origin to send any (CORS). */
export const isFromConsole = ({ headers }: FastifyRequest): boolean => headers['x-requested-with'] === 'parley-console';

/** Whether a browser sends it: those say where a request comes from, and programs have no reason to (Fetch, 3.2 and 9). */
export const isFromBrowser = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] !== undefined || headers.origin !== undefined;

export interface CookieOptions {
  /** Empty: the cookie is for the whole host. */
  publicUrl: string;
  secret: string;
  maxAgeSeconds: number;
}

/** The `Set-Cookie` of a session (RFC 6265): out of reach for scripts, and sent along from our own pages alone. */
export function writeSessionCookie(
  request: FastifyRequest,
  { publicUrl, secret, maxAgeSeconds }: CookieOptions,
): string {
  const path = URL.parse(publicUrl)?.pathname.replace(/\/+$/, '') || '/';
  // A proxy that is not trusted hides that the browser speaks https, but the browser itself says so.
  const isHttps = request.protocol === 'https' || request.headers.origin?.startsWith('https://');
  const parts = [`${name}=${secret}`, 'HttpOnly', 'SameSite=Strict', `Path=${path}`, `Max-Age=${maxAgeSeconds}`];
  return [...parts, ...(isHttps ? ['Secure'] : [])].join('; ');
}
