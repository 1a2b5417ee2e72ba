import type { FastifyRequest } from 'fastify';
import * as oidc from 'openid-client';
import type { Deps } from '../../../deps.ts';
import { ApiError } from '../../../platform/errors.ts';
import { tokenHash } from '../../../platform/secrets.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { putChallenge } from '../factors/challenges.ts';
import { sayProblem, withProvider } from './connect.ts';
import { findProviderAnyAccount, noteAtProvider } from './queries.ts';
import { redirectUriOf, type SsoStart } from './schemas.ts';

/** What is noted of a sign-in that began, and taken when it comes back. The verifier is in the browser alone. */
export interface Begun {
  accountId: string;
  provider: string;
  /** Of the verifier: whoever comes back must be the browser that began. */
  verifierHash: string;
  nonce: string;
  redirectUri: string;
  returnTo: string;
  reauthenticates: boolean;
}

/**
 * Begins to sign in: answers where to send the browser, and the PKCE verifier (RFC 7636) for its cookie. The cookie is what binds the
 * sign-in to the browser. A stranger who asks too often is refused before anybody else is asked.
 */
export async function startSignIn(
  deps: Deps,
  body: SsoStart,
  { server, request }: { server: string; request: FastifyRequest },
): Promise<{ url: string; verifier: string }> {
  const provider = await findProviderAnyAccount(deps.db, body.provider);
  if (!provider?.enabled) throw new ApiError('not_found');
  const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
  const begun: Begun = {
    accountId: provider.account_id,
    provider: provider.uuid,
    verifierHash: tokenHash(verifier),
    nonce,
    redirectUri: redirectUriOf(server),
    returnTo: body.return_to ?? '/',
    reauthenticates: body.reauthenticate ?? false,
  };
  await putChallenge(deps, 'sso', { secret: state, data: begun, request });
  const code_challenge = await oidc.calculatePKCECodeChallenge(verifier);
  try {
    const url = await withProvider(deps, provider, async (config) =>
      oidc.buildAuthorizationUrl(config, {
        redirect_uri: begun.redirectUri,
        scope: provider.scopes,
        state,
        nonce,
        code_challenge,
        code_challenge_method: 'S256',
        ...(begun.reauthenticates && { prompt: 'login', max_age: '0' }),
      }),
    );
    return { url: url.href, verifier };
  } catch (error) {
    const last_error = sayProblem(error);
    await noteAtProvider(deps.db, provider, { last_error, last_error_at: timestamp(deps.clock.now()) });
    throw new ApiError('identity_provider_unavailable');
  }
}

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
