import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { systemMs } from '../../time/clock.ts';
import { allows, type Demands, type Principal, type Scope } from '../route.ts';
import { clientKey } from '../wire/client-address.ts';
import { type Allowance, makeRateLimiter, policyHeader, remainingHeader, type SharedLimiter } from './rate-limit.ts';
import { isFromConsole, readSessionCookie } from './session-cookie.ts';

/** Resolves a token. Answers without a promise if the token is cached and satisfies the demands. */
export type Authenticate = (token: string, demands?: Demands) => Principal | null | Promise<Principal | null>;

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/** Makes the hook that stands before an operation of that scope. */
export type Gate = (scope: Scope, demands?: Demands) => Hook;

export interface GateOptions {
  authenticate: Authenticate;
  /** Counts the requests of accounts. */
  accounts: SharedLimiter;
  /** Requests in a minute from one client address that bring no valid token. */
  unauthenticatedPerMinute: number;
  /** Milliseconds of a clock that is never set. */
  nowMs?: () => number;
}

/** The error that refuses a request; undefined: it may go on. */
type Verdict = ApiError | undefined;
type Asked = [scope: Scope, demands: Demands, request: FastifyRequest, reply: FastifyReply];

/** How many tokens that were valid lately are remembered: more than any server has in use. */
const mostTrusted = 50_000;

/**
 * The gate before each operation: who is asking, may they, and not too often. The limit of an account is shared by all its tokens;
 * requests without a valid token are limited by address. Made once per operation with what it asks for, and written with callbacks,
 * because it runs for every request.
 */
export function makeGate({ authenticate, accounts, unauthenticatedPerMinute, nowMs }: GateOptions): Gate {
  const strangers = makeRateLimiter(nowMs);
  /**
   * An unknown token counts as a failed attempt before the database is asked for it; the attempt is taken back if the token is
   * valid. Tokens that were valid a moment ago are known: they are not refused for what others do at the same address.
   */
  const trusted = new Set<string>();

  const admit = (principal: Principal, asked: Asked): Verdict | Promise<Verdict> => {
    const counted = accounts.count(principal.accountId, principal.requestsPerMinute);
    return counted instanceof Promise
      ? counted.then((allowance) => decide(principal, allowance, asked))
      : decide(principal, counted, asked);
  };

  const decide = (principal: Principal, allowance: Allowance, [scope, demands, request, reply]: Asked): Verdict => {
    reply.header('ratelimit-policy', policyHeader(allowance.limit));
    reply.header('ratelimit', remainingHeader(allowance));
    if (!allowance.allowed) return throttled(allowance.resetSeconds);
    if (principal.refusal) return principal.refusal;
    if (principal.networks && !principal.networks.has(request.ip)) return new ApiError('network_not_allowed');
    if (!allows(principal.scopes, scope)) return new ApiError('permission_denied');
    if (principal.resources && !demands.bound) return new ApiError('resource_not_allowed');
    const refusal = refusalOf(principal, demands);
    if (refusal) return refusal;
    request.principal = principal;
    return undefined;
  };

  /** Counts a request without a valid token; what it is refused with when there were too many. */
  const countStranger = (request: FastifyRequest): ApiError | undefined => {
    const { allowed, resetSeconds } = strangers.count(clientKey(request.ip), unauthenticatedPerMinute);
    return allowed ? undefined : throttled(resetSeconds);
  };

  const judge = (
    token: string,
    isTrusted: boolean,
    principal: Principal | null,
    asked: Asked,
  ): Verdict | Promise<Verdict> => {
    const [, , request] = asked;
    if (!principal) {
      trusted.delete(token);
      return (isTrusted && countStranger(request)) || unauthenticated('authentication_failed');
    }
    if (!isTrusted) {
      strangers.letOff(clientKey(request.ip));
      if (trusted.size >= mostTrusted) trusted.clear();
      trusted.add(token);
    }
    return admit(principal, asked);
  };

  return (scope, demands = {}) => {
    if (scope === 'public') return (_request, _reply, done) => done();
    return (request, reply, done) => {
      const token = readToken(request);
      if (typeof token !== 'string') return done(countStranger(request) ?? token);
      const isTrusted = trusted.has(token);
      const refusal = isTrusted ? undefined : countStranger(request);
      if (refusal) return done(refusal);
      const found = authenticate(token, demands);
      if (!(found instanceof Promise)) {
        const verdict = judge(token, isTrusted, found, [scope, demands, request, reply]);
        if (!(verdict instanceof Promise)) return done(verdict);
        verdict.then(done, done).catch((error) => reply.send(error));
        return;
      }
      const letOff = (error: unknown): never => {
        // The database did not answer, so this was no failed guess.
        if (!isTrusted) strangers.letOff(clientKey(request.ip));
        throw error;
      };
      found
        .then((principal) => judge(token, isTrusted, principal, [scope, demands, request, reply]), letOff)
        .then(done, done)
        .catch((error) => reply.send(error));
    };
  };
}

/** The token of `Token <t>` or `Bearer <t>`, else that of the session's cookie, or why there is none. */
export function readToken(request: FastifyRequest): string | ApiError {
  const header = request.headers.authorization;
  if (!header) return readSession(request);
  return /^(?:token|bearer)\s+(\S+)\s*$/i.exec(header)?.[1] ?? unauthenticated('authentication_failed');
}

/**
 * The token of the session's cookie. Browsers add the cookie to requests of any site's page; only our own page can add the header.
 */
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

/** How long a sign-in, or a confirmation of it, counts for what is sensitive. */
export const freshMs = 10 * 60_000;

/** Whether somebody who signed in is to confirm it before they do this. */
export const isStale = ({ signedIn }: Principal, { fresh }: Demands): boolean =>
  fresh !== undefined &&
  signedIn !== undefined &&
  (signedIn.isSession || fresh === 'person') &&
  systemMs() - signedIn.atMs > freshMs;

/** Why a principal that has the scope is refused all the same; undefined: it is not. */
function refusalOf(principal: Principal, demands: Demands): ApiError | undefined {
  if (principal.mustEnrol && !demands.enrolment) return new ApiError('second_factor_setup_required');
  return isStale(principal, demands) ? new ApiError('reauthentication_required') : undefined;
}
