import type { FastifyRequest } from 'fastify';

export const sessionCookie = 'parley_session';
const pair = new RegExp(`(?:^|;)\\s*${sessionCookie}=([^;\\s]+)`);

/** The header that only our own pages can add: we allow no other origin to send any header (CORS). */
export const consoleHeader = { name: 'X-Requested-With', value: 'parley-console' } as const;

/** The secret in the session's cookie. */
export const readSessionCookie = ({ headers }: FastifyRequest): string | undefined =>
  headers.cookie === undefined ? undefined : pair.exec(headers.cookie)?.[1];

export const isFromConsole = ({ headers }: FastifyRequest): boolean =>
  headers['x-requested-with'] === consoleHeader.value;

/** Whether a browser sent the request: browsers say where it comes from, and programs have no reason to (Fetch, 3.2 and 9). */
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
  const parts = [
    `${sessionCookie}=${secret}`,
    'HttpOnly',
    'SameSite=Strict',
    `Path=${path}`,
    `Max-Age=${maxAgeSeconds}`,
  ];
  return [...parts, ...(isHttps ? ['Secure'] : [])].join('; ');
}
