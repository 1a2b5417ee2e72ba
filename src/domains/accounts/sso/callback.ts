import type { FastifyRequest } from 'fastify';
import * as oidc from 'openid-client';
import type { Deps } from '../../../deps.ts';
import { ApiError } from '../../../platform/errors.ts';
import { insertAuditEntries } from '../../../platform/http/audit.ts';
import { tokenHash } from '../../../platform/secrets.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { takeChallenge } from '../factors/challenges.ts';
import type { Entrance, Issued } from '../sessions/sign-in.ts';
import { admit } from './admit.ts';
import { type Claims, readClaims } from './claims.ts';
import { sayProblem, withProvider } from './connect.ts';
import { readVerifier } from './cookie.ts';
import { SsoFailure } from './failures.ts';
import { findProvider, noteAtProvider, type ProviderRow } from './queries.ts';
import type { Begun } from './start.ts';

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
