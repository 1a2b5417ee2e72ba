import type { FastifyRequest } from 'fastify';
import * as oidc from 'openid-client';
import type { Deps } from '../../../deps.ts';
import { ApiError } from '../../../platform/errors.ts';
import { insertAuditEntries } from '../../../platform/http/audit.ts';
import { tokenHash } from '../../../platform/secrets.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { takeChallenge } from '../factors/challenges.ts';
import type { Entrance, Issued } from '../sessions/sign-in.ts';
import { admit, SsoFailure } from './admit.ts';
import { sayProblem, withProvider } from './connect.ts';
import { findProvider, noteAtProvider, type ProviderRow } from './queries.ts';
import { type Begun, readVerifier } from './start.ts';

/** How long after it was asked for again somebody may have typed their password, with clocks that are off. */
const reauthenticatedMs = 11 * 60_000;

/**
 * Ends what `startSignIn` began: the browser is back from the provider with a code. Everything it brings works once. Throws
 * `SsoFailure`; why is noted at the provider and in the audit log.
 */
export async function finishSignIn(deps: Deps, entrance: Entrance): Promise<{ issued: Issued; returnTo: string }> {
  const { request } = entrance;
  const answer = new URL(request.url, 'http://localhost').searchParams;
  const begun = await takeChallenge<Begun>(deps, 'sso', answer.get('state') ?? '');
  if (!begun) throw new SsoFailure('expired', 'The sign-in was begun too long ago, or ended before.');
  const verifier = readVerifier(request);
  if (verifier === undefined || tokenHash(verifier) !== begun.verifierHash) {
    throw new SsoFailure('other_browser', 'The sign-in was begun in another browser.');
  }
  const provider = await findProvider(deps.db, begun.accountId, begun.provider);
  if (!provider?.enabled) throw new SsoFailure('provider_disabled', 'The provider is disabled or deleted.');
  try {
    const { claims, idToken } = await ask(deps, provider, { begun, answer, verifier });
    const issued = await admit(deps, { provider, claims, idToken, entrance });
    await noteAtProvider(deps.db, provider, { last_sign_in: timestamp(deps.clock.now()), last_error: '' });
    return { issued, returnTo: begun.returnTo };
  } catch (error) {
    const failure = failureOf(error);
    await noteFailure(deps, provider, { failure, request, operation: entrance.operation });
    throw failure;
  }
}

async function ask(
  deps: Deps,
  provider: ProviderRow,
  { begun, answer, verifier }: { begun: Begun; answer: URLSearchParams; verifier: string },
): Promise<{ claims: Claims; idToken: string }> {
  const called = new URL(begun.redirectUri);
  called.search = answer.toString();
  return withProvider(deps, provider, async (config) => {
    const answers = await oidc.authorizationCodeGrant(config, called, {
      pkceCodeVerifier: verifier,
      expectedState: answer.get('state')!,
      expectedNonce: begun.nonce,
      idTokenExpected: true,
    });
    const claims = await readClaims(config, answers, provider);
    const { authenticatedMs: provedMs } = claims;
    const isOld = provedMs !== undefined && deps.clock.now().getTime() - provedMs > reauthenticatedMs;
    if (begun.reauthenticates && isOld) {
      throw new SsoFailure(
        'provider_error',
        'The provider was to ask for the password again, and did not (auth_time).',
      );
    }
    return { claims, idToken: answers.id_token! };
  });
}

function failureOf(error: unknown): SsoFailure {
  if (error instanceof SsoFailure) return error;
  if (error instanceof ApiError) return new SsoFailure('refused', error.message, { cause: error });
  const isDenied = error instanceof oidc.AuthorizationResponseError && error.error === 'access_denied';
  return new SsoFailure(isDenied ? 'denied' : 'provider_error', sayProblem(error), { cause: error });
}

async function noteFailure(
  { db, clock, log }: Deps,
  provider: ProviderRow,
  { failure, request, operation }: { failure: SsoFailure; request: FastifyRequest; operation: Entrance['operation'] },
): Promise<void> {
  const { account_id: accountId, uuid, name } = provider;
  log.info(
    { account: accountId, provider: uuid, code: failure.code, reason: failure.message },
    'A single sign-on failed',
  );
  await noteAtProvider(db, provider, {
    last_error: failure.message.slice(0, 500),
    last_error_at: timestamp(clock.now()),
  });
  // What `issueTo` refused it has written down itself.
  if (failure.code === 'refused') return;
  const actor = { type: 'USER', uuid: nobody, name: `Somebody by ${name}` } as const;
  await insertAuditEntries(db, [{ accountId, actor, operation, request, status: 403 }]);
}
const nobody = '00000000-0000-0000-0000-000000000000';

/** Who somebody is, as their provider says. */
export interface Claims {
  subject: string;
  /** In lower case; empty: the provider names none. */
  email: string;
  isVerified: boolean;
  fullName: string;
  groups: string[];
  /** Whether the provider says that it asked for a second factor. */
  hasSecondFactor: boolean;
  /** When they last proved to the provider who they are; undefined: it does not say. */
  authenticatedMs: number | undefined;
}

type Answers = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>;

/** What the ID token says, and what the UserInfo endpoint adds where something is missing there (OpenID Connect Core, 5.4). */
async function readClaims(config: oidc.Configuration, answers: Answers, provider: ProviderRow): Promise<Claims> {
  const token = answers.claims();
  if (!token) throw new Error('The provider gave no ID token.');
  const isComplete = token['email'] !== undefined && token[provider.groups_claim] !== undefined;
  const hasMore = config.serverMetadata().userinfo_endpoint !== undefined;
  const more = isComplete || !hasMore ? {} : await oidc.fetchUserInfo(config, answers.access_token, token.sub);
  // What is signed counts for more.
  return claimsOf({ ...more, ...token }, provider);
}

function claimsOf(claims: Record<string, unknown> & { sub: string }, provider: ProviderRow): Claims {
  const { email, name, amr, auth_time: authTime } = claims;
  return {
    subject: claims.sub,
    email: typeof email === 'string' ? email.trim().toLowerCase().slice(0, 254) : '',
    isVerified: provider.trust_email || isTrue(claims['email_verified']) || isTrue(claims['xms_edov']),
    fullName:
      typeof name === 'string'
        ? name
            .replaceAll(/\p{Cc}+/gu, ' ')
            .trim()
            .slice(0, 150)
        : '',
    groups: textsOf(claims[provider.groups_claim]),
    hasSecondFactor: provider.trust_second_factor || textsOf(amr).some((method) => secondFactors.has(method)),
    authenticatedMs: typeof authTime === 'number' ? authTime * 1000 : undefined,
  };
}

/** RFC 8176, and `ngcmfa`, which Entra ID writes. One-time codes and keys alone may be all that was asked for. */
const secondFactors = new Set(['mfa', 'ngcmfa']);

/** Some providers write truth as a text or a number. */
const isTrue = (claim: unknown): boolean => claim === true || claim === 'true' || claim === 1 || claim === '1';

const textsOf = (claim: unknown): string[] =>
  [claim].flat().filter((one): one is string => typeof one === 'string' && one !== '');
