import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import { type TSchema, Type } from 'typebox';
import { databaseTrouble, isDatabaseError, isTakingNoWrites } from '../db/connect/failure.ts';
import { ApiError, type FieldErrors, ValidationError } from '../errors.ts';
import type { Files } from '../files/files.ts';
import { makeRequestIds } from '../ids.ts';
import type { Log } from '../log.ts';
import { inRequest } from '../observe/context.ts';
import type { TracedRequest, Traces } from '../observe/traces.ts';
import type { CertificateFiles } from '../tls/certificate-files.ts';
import { boundCheck } from './access/bound.ts';
import type { Gate } from './access/gate.ts';
import { audited, recordRead } from './audit.ts';
import { compressAnswers } from './compress.ts';
import { type EntityTags, entityTags } from './entity-tags.ts';
import { replyWithError } from './error-reply.ts';
import { csvAnswer, prefersCsv } from './files/csv.ts';
import { takeForms, type Upload, withUpload } from './files/upload.ts';
import { runOnce } from './idempotency.ts';
import { makeRequestCounter } from './metrics.ts';
import { refuseOtherMethods } from './other-methods.ts';
import { type Answer, calledUrl, type HttpDeps, type Principal, type Route } from './route.ts';
import { bodyValidator, coercion, headerList, ignoredFields, parseJson, queryValidator } from './validation/index.ts';
import { makeIsProxy, type TrustProxy } from './wire/client-address.ts';
import { type ConnectionLimits, makeConnectionGuard, usualLimits } from './wire/connections.ts';
import { makeEarlyAnswers } from './wire/early.ts';
import { type HstsOptions, makeHsts } from './wire/https.ts';
import { refusedEncoding } from './wire/protocol-errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    principal?: Principal;
    /** The body's bytes as they came; kept only where something is computed over them. */
    rawBody?: Buffer;
    /** Its trace, where traces are on. */
    traced?: TracedRequest;
  }
}

export interface ServerOptions<D extends HttpDeps> {
  deps: D;
  log: Log;
  metrics: Registry;
  /** Left out: requests are not traced. */
  traces?: Traces;
  trustProxy: TrustProxy;
  connections?: ConnectionLimits;
  /** With them the server speaks HTTPS. */
  certificate?: CertificateFiles | undefined;
  hsts?: HstsOptions;
  /** Empty: links name the host that the caller used. */
  publicUrl: string;
  /** Where uploads are put. */
  files: Files;
  routes: Route<D>[];
  gate: Gate;
  /** Told of every request that was let in; not to take any time. */
  onUse?(principal: Principal, request: FastifyRequest): void;
  /** The same for operations of one tag: they share connections to the database with each other, and leave some to the others. */
  depsFor(tag: string): D;
  /** A copy of the database, for operations that only read; undefined: there is none, or none that is up to date. */
  reading?: { of(deps: D): Promise<D | undefined>; failed(error: unknown): void };
  /** Who is to hear of every success of an operation, once it is committed. */
  onSuccess?(route: Route<D>): ((accountId: string, answer: Answer, url: string) => void) | undefined;
  /** Runs a request that carries an Idempotency-Key in a transaction. */
  within<T>(deps: D, work: (deps: D) => Promise<T>): Promise<T>;
}

const bodyLimitBytes = 1024 * 1024;
const jsonType = 'application/json; charset=utf-8';

/**
 * The HTTP server. A request passes, in this order: request id → token or cookie, scope, rate limit (`onRequest`) → JSON or form →
 * parameters, query and body checked → numbers of a bound token → idempotency or If-Match → handler → audit log → answer. Each step may end it with an error answer.
 */
export function makeServer<D extends HttpDeps>(options: ServerOptions<D>): FastifyInstance {
  const newRequestId = makeRequestIds();
  // A caller's own id is kept, so that one id follows a request through several systems.
  const idOf = (request: IncomingMessage) => safeRequestId(request.headers['x-request-id']) ?? newRequestId();
  const isProxy = makeIsProxy(options.trustProxy);
  const connections = makeConnectionGuard(options.connections ?? usualLimits, isProxy, newRequestId);
  const early = makeEarlyAnswers({
    idOf,
    newId: newRequestId,
    log: options.log,
    connections,
    certificate: options.certificate,
    ...(options.hsts && { hsts: makeHsts(options.hsts, isProxy) }),
  });
  const app = Fastify({
    serverFactory: early.serverFactory,
    bodyLimit: bodyLimitBytes,
    trustProxy: isProxy,
    // Answered below Fastify, for all of its servers.
    clientErrorHandler: () => {},
    genReqId: idOf,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    // Comes before all hooks.
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      replyWithError(error, request, reply, options.log);
    },
  });
  // Answers are presented field by field already: a serializer compiled from the schema would have nothing to leave out.
  app.setSerializerCompiler(() => JSON.stringify);
  early.attach(app);
  compressAnswers(app);
  app.decorateRequest('principal', undefined);
  app.decorateRequest('rawBody', undefined);
  app.decorateRequest('traced', undefined);
  app.decorateRequest('upload', undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, raw: Buffer, done) => {
    try {
      if (request.headers['idempotency-key'] !== undefined) request.rawBody = raw;
      done(null, raw.length === 0 ? {} : parseJson(raw));
    } catch (error) {
      done(error as Error);
    }
  });
  app.setErrorHandler((error, request, reply) =>
    inRequest(request.traced ?? { requestId: request.id }, () => replyWithError(error, request, reply, options.log)),
  );
  app.setNotFoundHandler((request, reply) => replyWithError(new ApiError('not_found'), request, reply, options.log));
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  const { onUse } = options;
  if (onUse) {
    app.addHook('preHandler', (request, _reply, done) => {
      if (request.principal) onUse(request.principal, request);
      done();
    });
  }
  app.addHook('preParsing', (request, _reply, _payload, done) => done(refusedEncoding(request.raw)));
  if (options.log.isLevelEnabled('debug')) logRequests(app, options.log);
  const { gate } = options;
  const counter = makeRequestCounter(options.metrics);
  const byUrl = Map.groupBy(options.routes, ({ url }) => url);
  const mount = (app: FastifyInstance, route: Route<D>) => {
    const tags = entityTags(route, byUrl.get(route.url)!);
    const handler = makeHandler(route, tags, { ...options, deps: options.depsFor(route.tag) });
    app.route({
      method: route.method,
      url: route.url,
      onRequest: gate(route.scope, route),
      onResponse: [counter(route.operationId), ...(options.traces ? [traceAnswers(options.traces, route)] : [])],
      handler: route.upload ? withUpload(options.files, route.upload.mostBytes, handler) : handler,
    });
  };
  for (const route of options.routes.filter(({ upload }) => !upload)) mount(app, route);
  // A room of its own within the server, with other parsers.
  app.register((app, _options, done) => {
    takeForms(app);
    for (const route of options.routes.filter(({ upload }) => upload)) mount(app, route);
    done();
  });
  refuseOtherMethods(app, options.routes, gate);
  return app;
}

/** Adds each request of an operation to its trace, once it is answered. */
const traceAnswers =
  (
    traces: Traces,
    { operationId: operation, method, url: route }: Pick<Route<unknown>, 'operationId' | 'method' | 'url'>,
  ) =>
  (
    { traced }: FastifyRequest,
    { statusCode: status, elapsedTime: durationMs }: FastifyReply,
    done: () => void,
  ): void => {
    if (traced) traces.end(traced, { operation, method, route, status, durationMs });
    done();
  };

/** Lists and insights: the reads that can be large. Of single objects the primary is asked, which has them at hand. */
function isOnlyRead({ method, tag, responses }: Pick<Route<unknown>, 'method' | 'tag' | 'responses'>): boolean {
  const { properties } = (responses[200] ?? {}) as { properties?: Record<string, unknown> };
  return method === 'GET' && (tag === 'Insights' || properties?.['results'] !== undefined);
}

/** The way of a request from the gate to its answer. */
function makeHandler<D extends HttpDeps>(route: Route<D>, tags: EntityTags<D> | undefined, options: ServerOptions<D>) {
  const bodySchema = route.body ?? (route.upload && Type.Object({}));
  const check = {
    params: route.params && queryValidator(route.params),
    query: route.query && queryValidator(route.query),
    body: bodySchema && bodyCheck(bodySchema, route),
    ignoredInBody: bodySchema && ignoredFields(bodySchema),
    ignoredInQuery: route.query && ignoredFields(route.query),
  };
  const handle = audited(route);
  const checkBound = boundCheck(route, options.routes);
  const succeeded = options.onSuccess?.(route);
  const reading = isOnlyRead(route) ? options.reading : undefined;
  /** On the copy of the database, if that will do. */
  async function readBy<T>(work: (deps: D) => Promise<T>): Promise<T> {
    const copy = await reading?.of(options.deps);
    if (!copy) return work(options.deps);
    try {
      return await work(copy);
    } catch (error) {
      if (!isDatabaseError(error)) throw error;
      // Unless it only wants to write after all.
      if (databaseTrouble(error) !== undefined && !isTakingNoWrites(error)) reading?.failed(error);
      return work(options.deps);
    }
  }

  const respond = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const country = request.principal?.country;
    const params = check.params ? check.params(request.params, country) : { value: request.params };
    // A malformed id names nothing that exists.
    if (params.errors) throw new ApiError('not_found');
    const query = check.query ? check.query(request.query, country) : { value: {} };
    const { value: body, errors } = check.body?.(request.body === undefined ? {} : request.body, country) ?? {};
    const ignored = check.ignoredInBody?.(body) ?? [];
    if (check.ignoredInQuery) ignored.push(...check.ignoredInQuery(query.value));
    // Also of what is refused: a required field that is missing may be one that is misspelt.
    if (ignored.length > 0) reply.header('parley-ignored-fields', headerList(ignored));
    if (query.errors) throw new ValidationError(query.errors);
    if (errors) throw new ValidationError(errors);

    const principal = request.principal as Principal;
    const callWith = (deps: D) => ({
      deps,
      principal,
      accountId: principal?.accountId,
      params: params.value,
      query: query.value,
      body,
      upload: request.upload as Upload,
      url: () => calledUrl(request, options.publicUrl),
      request,
      reply,
    });
    if (principal?.resources) await checkBound?.(callWith(options.deps));
    if (route.csv) {
      reply.header('vary', 'Accept');
      if (prefersCsv(request.headers.accept)) {
        const deps = (await reading?.of(options.deps)) ?? options.deps;
        if (route.reads) await recordRead(options.deps, route, callWith(options.deps));
        return csvAnswer(route.csv, callWith(deps), { request, reply, log: options.log });
      }
    }
    const run = (deps: D): Promise<Answer> => handle(callWith(deps));
    const key = request.headers['idempotency-key'];
    const condition = tags?.condition(request.headers['if-match']);
    const checked = async (deps: D): Promise<Answer> => {
      await tags!.check(condition!, callWith(deps));
      return run(deps);
    };
    const keyed = (deps: D): Promise<Answer> =>
      runOnce(
        deps,
        {
          accountId: principal.accountId,
          owner: principal.actor?.uuid ?? principal.tokenId,
          method: route.method,
          path: request.url.split('?')[0]!.replace(/\/?$/, '/'),
          key: String(key),
          rawBody: request.rawBody ?? Buffer.alloc(0),
        },
        () => run(deps),
      );
    const answerBy = (): Promise<Answer> => {
      const isKeyed = key !== undefined && route.method === 'POST' && !route.unkeyed;
      if (isKeyed && principal) return options.within(options.deps, keyed);
      if (condition) return tags!.needsTransaction ? options.within(options.deps, checked) : checked(options.deps);
      return reading ? readBy(run) : run(options.deps);
    };
    const worked = await answerBy();
    if (route.reads === 'content' && worked.status < 300) await recordRead(options.deps, route, callWith(options.deps));
    const answer = tags && !reply.sent ? tags.label(worked, request.headers['if-none-match']) : worked;
    // A handler that streams has taken the reply over.
    if (reply.sent) return reply;
    if (answer.status < 300 && principal) succeeded?.(principal.accountId, answer, request.url);
    if (answer.headers) reply.headers(answer.headers);
    reply.code(answer.status);
    if (answer.text !== undefined) return reply.header('content-type', jsonType).send(answer.text);
    return answer.body === undefined ? reply.send() : answer.body;
  };
  const { traces } = options;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (traces) request.traced = traces.begin(request.id, request.headers.traceparent);
    const end = request.principal && options.deps.foreground?.begin(request.principal.accountId);
    try {
      return await inRequest(request.traced ?? { requestId: request.id }, () => respond(request, reply));
    } finally {
      end?.();
    }
  };
}

/** JSON is read as leniently as clients expect; the fields of a form are texts, and are read as those of a query string are. */
function bodyCheck<D>(schema: TSchema, { upload }: Route<D>): (body: unknown, country?: string) => Checked {
  if (upload) return queryValidator(schema);
  const coerce = coercion(schema);
  const validate = bodyValidator(schema);
  return (given, country) => {
    const value = coerce(given);
    return { value, errors: validate(value, country) };
  };
}

interface Checked {
  value: unknown;
  errors?: FieldErrors | FieldErrors[] | null | undefined;
}

function logRequests(app: FastifyInstance, log: Log): void {
  app.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    log.debug(
      { requestId: request.id, status: reply.statusCode, ms },
      `${request.method} ${request.url.split('?')[0]}`,
    );
    done();
  });
}

const safeRequestId = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : undefined;
