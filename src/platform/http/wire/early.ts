import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { FastifyInstance, FastifyServerFactory, FastifyServerOptions } from 'fastify';
import { ApiError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { CertificateFiles } from '../../tls/certificate-files.ts';
import { makeSafeResponse } from '../header-values.ts';
import type { ConnectionGuard } from './connections.ts';
import { answerProtocolErrors, lacksHost, replyOn } from './protocol-errors.ts';

/**
 * Answers a request and returns true, or leaves it untouched to the server, at once or after looking something up. It gets the id
 * that the answer must name. An `ApiError` that it throws is the answer.
 */
export type EarlyAnswer = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: () => string,
) => boolean | Promise<boolean>;

declare module 'fastify' {
  interface FastifyInstance {
    /** For addresses that are called thousands of times a second: answered at a fraction of what a route costs. One for each prefix. */
    answerEarly(prefix: string, answer: EarlyAnswer): void;
  }
}

export interface EarlyOptions {
  /** The id of a request: the caller's own, or a new one. */
  idOf(request: IncomingMessage): string;
  newId(): string;
  log: Log;
  connections?: ConnectionGuard;
  /** With them the server speaks HTTPS, and nothing else. */
  certificate?: CertificateFiles | undefined;
  /** What Strict-Transport-Security a request is answered with. */
  hsts?(request: IncomingMessage): string | undefined;
}

export interface EarlyAnswers {
  serverFactory: FastifyServerFactory;
  attach(app: FastifyInstance): void;
}

/**
 * Lets some requests be answered before Fastify sees them. No hook runs for those, so none of them is logged, and none of Fastify's
 * error handling either: an error here is answered here.
 */
export function makeEarlyAnswers({ idOf, newId, log, connections, certificate, hsts }: EarlyOptions): EarlyAnswers {
  let answers: [prefix: string, answer: EarlyAnswer][] = [];
  const answer: EarlyAnswer = (request, response, newId) => {
    for (const [prefix, answer] of answers)
      if (request.url?.startsWith(prefix)) return answer(request, response, newId);
    return false;
  };
  const ServerResponse = makeSafeResponse((header) => log.warn({ header }, 'A header that cannot be sent was changed'));
  const fail = (error: unknown, request: IncomingMessage, response: ServerResponse, requestId: string): void => {
    if (error instanceof ApiError) {
      replyOn(response, error, requestId);
      return;
    }
    log.error({ err: error, requestId, method: request.method }, 'Unexpected error');
    replyOn(response, new ApiError('internal_error'), requestId, { request_id: requestId });
  };
  return {
    serverFactory(handler, options): Server {
      // That a request has a Host is looked at below, to be answered in the form of all errors.
      const own = { ServerResponse, requireHostHeader: false, connectionsCheckingInterval: 1_000 };
      const take: RequestListener = (request, response) => {
        const secureOnly = hsts?.(request);
        if (secureOnly !== undefined) response.setHeader('strict-transport-security', secureOnly);
        connections?.note(request, response);
        if (lacksHost(request)) {
          replyOn(response, new ApiError('bad_request', { detail: noHost }), idOf(request));
          return;
        }
        let id: string | undefined;
        const ownId = (): string => {
          id ??= idOf(request);
          return id;
        };
        const onError = (error: unknown): void => fail(error, request, response, ownId());
        try {
          const answered = answer(request, response, ownId);
          if (answered === false) handler(request, response);
          else if (answered !== true) answered.then((is) => is || handler(request, response)).catch(onError);
        } catch (error) {
          onError(error);
        }
      };
      const server = certificate
        ? serveSecurely({ ...own, handshakeTimeout: connections?.handshakeTimeoutMs }, certificate, take)
        : createServer(own, take);
      // Settings that Fastify gives a server that it makes itself.
      server.keepAliveTimeout = (options as Pick<Required<FastifyServerOptions>, 'keepAliveTimeout'>).keepAliveTimeout;
      answerProtocolErrors(server, newId);
      connections?.attach(server);
      return server;
    },
    attach(app) {
      app.decorate('answerEarly', (prefix: string, answer: EarlyAnswer) => {
        answers.push([prefix, answer]);
      });
      app.addHook('preClose', (done) => {
        answers = [];
        done();
      });
    },
  };
}

/** A server whose certificate is changed as its files change; connections that are open keep theirs. */
function serveSecurely(own: object, certificate: CertificateFiles, take: RequestListener): Server {
  const options = () => ({ ...certificate.current(), minVersion: 'TLSv1.2' as const });
  const server = createSecureServer({ ...own, ...options() }, take);
  const ignore = certificate.onChange(() => server.setSecureContext(options()));
  server.once('close', ignore);
  // A client that fails the handshake could not read an answer.
  server.prependListener('tlsClientError', (_error, socket) => socket.destroy());
  return server;
}

const noHost = 'The header Host is missing.';
