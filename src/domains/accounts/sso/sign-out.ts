import * as oidc from 'openid-client';
import type { Deps } from '../../../deps.ts';
import type { Principal } from '../../../platform/http/route.ts';
import { Unreadable } from '../../../platform/secrets.ts';
import { tokenCache } from '../tokens/authenticate.ts';
import { deleteSession } from '../tokens/queries.ts';
import { sayProblem, withProvider } from './connect.ts';
import { findProvider, findSsoSession } from './queries.ts';
import { consoleOf } from './schemas.ts';

/**
 * Ends a session here, and answers where the browser signs out of its provider (OpenID Connect RP-Initiated Logout). The session ends
 * in any case: that the provider cannot be asked is no reason to stay signed in.
 */
export async function signOut(deps: Deps, { accountId, tokenId }: Principal, server: string): Promise<string | null> {
  const session = await findSsoSession(deps.db, accountId, tokenId);
  await deleteSession(deps.db, accountId, tokenId);
  deps.caches.forget(tokenCache);
  const provider = session && (await findProvider(deps.db, accountId, session.provider_uuid));
  if (!provider) return null;
  try {
    const hint = deps.vault.open(session.id_token);
    return await withProvider(deps, provider, async (config) => {
      if (config.serverMetadata().end_session_endpoint === undefined) return null;
      const asked = { id_token_hint: hint, post_logout_redirect_uri: consoleOf(server) };
      return oidc.buildEndSessionUrl(config, asked).href;
    });
  } catch (error) {
    const reason = error instanceof Unreadable ? error.message : sayProblem(error);
    deps.log.info(
      { account: accountId, provider: provider.uuid, reason },
      'Nobody was signed out of their identity provider',
    );
    return null;
  }
}
