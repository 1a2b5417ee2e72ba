import type { FastifyRequest } from 'fastify';

const name = 'parley_sso';
const pair = new RegExp(`(?:^|;)\\s*${name}=([A-Za-z0-9_-]+)`);
const lastsSeconds = 600;

export const readVerifier = ({ headers }: FastifyRequest): string | undefined =>
  headers.cookie === undefined ? undefined : pair.exec(headers.cookie)?.[1];

/**
 * The `Set-Cookie` that binds a sign-in by a provider to the browser that began it; an empty verifier clears it. Lax: the provider
 * sends the browser back here, and a stricter cookie would not come along.
 */
export function writeVerifier(request: FastifyRequest, server: string, verifier: string): string {
  const { pathname, protocol } = new URL(server);
  const isHttps = protocol === 'https:' || request.headers.origin?.startsWith('https://');
  const parts = [
    `${name}=${verifier}`,
    'HttpOnly',
    'SameSite=Lax',
    `Path=${pathname.replace(/\/+$/, '')}/v2/auth/sso/`,
    `Max-Age=${verifier === '' ? 0 : lastsSeconds}`,
  ];
  return [...parts, ...(isHttps ? ['Secure'] : [])].join('; ');
}
