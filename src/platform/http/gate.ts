import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { makeRateLimiter, policyHeader, remainingHeader } from './rate-limit.ts';
import { allows, type Principal, type Scope } from './route.ts';
import { isFromConsole, readSessionCookie } from './session-cookie.ts';

/** Resolves a token; answers at once, without a promise, when it is known already. */
export type Authenticate = (token: string) => Principal | null | Promise<Principal | null>;

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/**
 * The gate before each operation: who is asking, may they, and not too often. Made once per operation, with what it asks
 * for, and written with callbacks: it runs for every request.
 */
export function makeGate(authenticate: Authenticate): (scope: Scope) => Hook {
  const limiter = makeRateLimiter();

  const admit = (scope: Scope, principal: Principal | null, request: FastifyRequest, reply: FastifyReply) => {
    if (!principal) return unauthenticated('authentication_failed');
    const allowance = limiter(principal.tokenId, principal.requestsPerMinute);
    reply.header('ratelimit-policy', policyHeader(allowance.limit));
    reply.header('ratelimit', remainingHeader(allowance));
    if (!allowance.allowed) return throttled(allowance.resetSeconds);
    if (!allows(principal.scopes, scope)) return new ApiError('permission_denied');
    request.principal = principal;
    return undefined;
  };

  return (scope) => {
    if (scope === 'public') return (_request, _reply, done) => done();
    return (request, reply, done) => {
      const token = readToken(request);
      const found = typeof token === 'string' ? authenticate(token) : null;
      if (typeof token !== 'string') done(token);
      else if (found instanceof Promise)
        found
          .then((principal) => admit(scope, principal, request, reply))
          .then(done, done)
          .catch((error) => reply.send(error));
      else done(admit(scope, found, request, reply));
    };
  };
}

/** The token of `Token <t>` or `Bearer <t>`, else that of the session's cookie, or why there is none. */
export function readToken(request: FastifyRequest): string | ApiError {
  const header = request.headers.authorization;
  if (!header) return readSession(request);
  return /^(?:token|bearer)\s+(\S+)\s*$/i.exec(header)?.[1] ?? unauthenticated('authentication_failed');
}

/** Browsers add the cookie by themselves, whoever's page asks; another site's page cannot add the header. */
function readSession(request: FastifyRequest): string | ApiError {
  const secret = readSessionCookie(request);
  if (secret === undefined) return unauthenticated('not_authenticated');
  const isSafe = request.method === 'GET' || request.method === 'HEAD';
  return isSafe || isFromConsole(request) ? secret : new ApiError('csrf_failed');
}

const unauthenticated = (code: 'not_authenticated' | 'authentication_failed') =>
  new ApiError(code, { headers: { 'www-authenticate': 'Token' } });

export const throttled = (seconds: number): ApiError =>
  new ApiError('throttled', {
    detail: `Request was throttled. Expected available in ${seconds} seconds.`,
    headers: { 'retry-after': String(seconds) },
  });
