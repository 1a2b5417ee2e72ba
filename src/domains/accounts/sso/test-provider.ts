import * as oidc from 'openid-client';
import type { Deps } from '../../../deps.ts';
import { sayProblem, withProvider } from './connect.ts';
import type { ProviderRow } from './queries.ts';
import { redirectUriOf } from './schemas.ts';

/** Codes with which a token endpoint says that it does not know the client, or not by this secret (RFC 6749, 5.2). */
const clientErrors = ['invalid_client', 'unauthorized_client'];

/**
 * Asks a provider for its discovery document and its keys, and its token endpoint about a code that it never gave: a client that it
 * knows is told that the code is wrong.
 */
export async function testProvider(deps: Deps, provider: ProviderRow, server: string) {
  const endpoints = { authorization_endpoint: null, token_endpoint: null, end_session_endpoint: null };
  try {
    return await withProvider(
      deps,
      provider,
      async (config) => {
        const metadata = config.serverMetadata();
        const problems = [...problemsOf(metadata), ...(await clientProblem(config, server))];
        return {
          ok: problems.length === 0,
          problems,
          authorization_endpoint: metadata.authorization_endpoint ?? null,
          token_endpoint: metadata.token_endpoint ?? null,
          end_session_endpoint: metadata.end_session_endpoint ?? null,
        };
      },
      { anew: true },
    );
  } catch (error) {
    return { ok: false, problems: [sayProblem(error)], ...endpoints };
  }
}

function problemsOf(metadata: Readonly<oidc.ServerMetadata>): string[] {
  const { code_challenge_methods_supported: methods, response_types_supported: types } = metadata;
  return [
    ...(methods && !methods.includes('S256') ? ['The provider does not support PKCE with S256.'] : []),
    ...(types && !types.includes('code') ? ['The provider does not support the authorization code flow.'] : []),
  ];
}

async function clientProblem(config: oidc.Configuration, server: string): Promise<string[]> {
  const asked = {
    code: 'parley-connection-test',
    redirect_uri: redirectUriOf(server),
    code_verifier: oidc.randomPKCECodeVerifier(),
  };
  try {
    await oidc.genericGrantRequest(config, 'authorization_code', asked);
    return [];
  } catch (error) {
    if (error instanceof oidc.ResponseBodyError) {
      return clientErrors.includes(error.error) ? ['The provider refuses the client id or the client secret.'] : [];
    }
    if (error instanceof oidc.WWWAuthenticateChallengeError) {
      return ['The provider refuses the client id or the client secret.'];
    }
    return [sayProblem(error)];
  }
}
