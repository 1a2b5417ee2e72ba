import type { FastifyRequest } from 'fastify';
import type { Config } from '../../../platform/config.ts';

/** How whoever asks reaches this server: as the operator says, else by the name that was just used. */
export const originOf = (
  { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>,
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
): string => (PUBLIC_URL === '' ? `${protocol}://${host}` : PUBLIC_URL.replace(/\/$/, ''));
