import * as oidc from 'openid-client';
import type { Deps } from '../../../deps.ts';
import { makeFetch, makeOutbound } from '../../../platform/outbound/client.ts';
import { hostOf, isPublicAddress } from '../../../platform/outbound/guard.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { noteAtProvider, type ProviderRow } from './queries.ts';
import { redirectUriOf } from './schemas.ts';

type Means = Pick<Deps, 'db' | 'clock' | 'guards' | 'vault' | 'log'>;

const timeoutMs = 8_000;
const mostBytes = 512 * 1024;
/** How long a discovery document is good for. One that cannot be had anew is good for longer. */
const keptMs = 60 * 60_000;
/** How far the clock of a provider may be off, for the times in its ID tokens. */
const skewSeconds = 60;

/** Does something with a provider, whose answers come through the guard; the connections end with it. */
export async function withProvider<T>(
  deps: Means,
  provider: ProviderRow,
  work: (config: oidc.Configuration) => Promise<T>,
  { anew = false }: { anew?: boolean } = {},
): Promise<T> {
  const outbound = makeOutbound({ guard: deps.guards.sso });
  const fetch = makeFetch(outbound, { timeoutMs, mostBytes });
  try {
    const isPlain = await isPlainAllowed(deps, provider.issuer);
    const discover = () => discoverNow(deps, provider, { fetch: fetch as oidc.CustomFetch, isPlain });
    const metadata = anew ? await discover() : await knownOf(deps, provider, discover);
    const config = new oidc.Configuration(metadata, provider.client_id, clientOf(provider), authOf(deps, provider));
    config.timeout = timeoutMs / 1000;
    config[oidc.customFetch] = fetch as oidc.CustomFetch;
    if (isPlain) oidc.allowInsecureRequests(config);
    // ID tokens are checked by their signatures, too, though they come over a connection of our own.
    oidc.enableNonRepudiationChecks(config);
    return await work(config);
  } finally {
    outbound.close();
  }
}

const clientOf = (_: ProviderRow): Partial<oidc.ClientMetadata> => ({ [oidc.clockTolerance]: skewSeconds });

const authOf = ({ vault }: Means, { token_auth_method, client_secret }: ProviderRow): oidc.ClientAuth => {
  const secret = vault.open(client_secret);
  return token_auth_method === 'client_secret_post' ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret);
};

/** What was discovered within the hour, else what is discovered now, else what was discovered before. */
async function knownOf(
  { clock, log }: Means,
  { metadata, discovered, account_id, uuid }: ProviderRow,
  discover: () => Promise<oidc.ServerMetadata>,
): Promise<oidc.ServerMetadata> {
  const known = metadata as oidc.ServerMetadata | null;
  const isFresh = discovered !== null && clock.now().getTime() - Date.parse(discovered) < keptMs;
  if (known && isFresh) return known;
  return discover().catch((error: Error) => {
    if (!known) throw error;
    log.warn(
      { account: account_id, provider: uuid, error: sayProblem(error) },
      'An identity provider was not discovered',
    );
    return known;
  });
}

async function discoverNow(
  { db, clock }: Means,
  provider: ProviderRow,
  { fetch, isPlain }: { fetch: oidc.CustomFetch; isPlain: boolean },
): Promise<oidc.ServerMetadata> {
  const config = await oidc.discovery(new URL(provider.issuer), provider.client_id, undefined, oidc.None(), {
    [oidc.customFetch]: fetch,
    timeout: timeoutMs / 1000,
    ...(isPlain && { execute: [oidc.allowInsecureRequests] }),
  });
  const metadata: oidc.ServerMetadata = JSON.parse(JSON.stringify(config.serverMetadata()));
  checkEndpoints(metadata, isPlain);
  await noteAtProvider(db, provider, { metadata: JSON.stringify(metadata), discovered: timestamp(clock.now()) });
  return metadata;
}

/** Browsers are sent to some of these: nothing but an address of the web will do. */
function checkEndpoints(metadata: oidc.ServerMetadata, isPlain: boolean): void {
  const needed = { authorization_endpoint: true, token_endpoint: true, jwks_uri: true, end_session_endpoint: false };
  for (const [name, isNeeded] of Object.entries(needed)) {
    const value = metadata[name];
    if (value === undefined && !isNeeded) continue;
    const protocol = typeof value === 'string' ? URL.parse(value)?.protocol : undefined;
    if (protocol === 'https:' || (isPlain && protocol === 'http:')) continue;
    throw new ProviderProblem(`Its discovery document has no ${name} with an https address.`);
  }
}

/** Something that the provider's document lacks. */
class ProviderProblem extends Error {
  override name = 'ProviderProblem';
}

/** Without TLS only inside the networks that the operator allows: nobody else reads along there. */
async function isPlainAllowed({ guards }: Means, issuer: string): Promise<boolean> {
  const url = new URL(issuer);
  if (url.protocol !== 'http:') return false;
  const addresses = await guards.sso.addressesOf(hostOf(url));
  if (addresses.length > 0 && addresses.every(({ address }) => !isPublicAddress(address))) return true;
  throw new ProviderProblem('An issuer must have an https address.');
}

/** What went wrong with a provider, for whoever set it up. What it answered is in it, shortened. */
export function sayProblem(error: unknown): string {
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError) {
    const { error: code, error_description: text } = error;
    return cut(`The provider answered ${code}${text ? `: ${text}` : ''}`);
  }
  const said: string[] = [];
  for (let one: unknown = error; one instanceof Error && said.length < 3; one = one.cause) {
    if (one.message && !said.includes(one.message)) said.push(one.message);
  }
  return cut(said.join(': ') || 'The provider could not be asked.');
}

// Of the control characters PostgreSQL cannot store NUL, and nobody wants to read the others.
const cut = (text: string): string => text.replaceAll(/[\p{Cc}]+/gu, ' ').slice(0, 500);

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
