import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { ValidationError } from '../../../platform/errors.ts';

/** Whom passkeys are for, as browsers see it (WebAuthn, 5.4.2): a host name, and the origins of its pages. */
export interface RelyingParty {
  id: string;
  origins: string[];
}

/**
 * That of PUBLIC_URL, else of the host that the browser asked. A browser lets no page use the passkeys of another host, whatever we
 * say here. Whether it speaks https is hidden by proxies that are not trusted.
 */
export function relyingPartyOf(request: FastifyRequest, publicUrl: string): RelyingParty {
  const url = URL.parse(publicUrl) ?? URL.parse(`${request.protocol}://${request.host}`);
  const id = url?.hostname ?? '';
  if (id === '' || isIP(id.replace(/^\[(.*)\]$/, '$1')) !== 0) {
    throw new ValidationError({
      non_field_errors: [
        'Passkeys need a host name. Open the console by its name, such as localhost, not by an address.',
      ],
    });
  }
  return { id, origins: publicUrl ? [url!.origin] : [`https://${url!.host}`, `http://${url!.host}`] };
}
