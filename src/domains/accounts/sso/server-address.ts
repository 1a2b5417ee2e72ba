import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';

/** Where the outside world finds this server, without a slash at the end: PUBLIC_URL, else what the browser asked. */
export function serverOf({ config }: Pick<Deps, 'config'>, { protocol, host }: FastifyRequest): string {
  if (config.PUBLIC_URL !== '') return config.PUBLIC_URL.replace(/\/+$/, '');
  return URL.parse(`${protocol}://${host}`)?.origin ?? 'http://localhost';
}
