import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import { Type } from 'typebox';
import type { Deps } from '../../../deps.ts';
import type { Config } from '../../../platform/config.ts';
import { ApiError } from '../../../platform/errors.ts';
import { locationValue } from '../../../platform/http/header-values.ts';
import type { Operation } from '../../../platform/http/openapi/openapi.ts';
import { clientAddress, type IsProxy, makeIsProxy } from '../../../platform/http/wire/client-address.ts';
import type { EarlyAnswer } from '../../../platform/http/wire/early.ts';
import { isEncrypted } from '../../../platform/http/wire/https.ts';
import { type Click, startClickLog } from '../clicks/click-log.ts';
import { makeVisitors } from '../clicks/visitor.ts';
import { type DeadEnd, pageHeaders, pages } from './link-page.ts';
import { type Chat, makeOpener, type Page, shortcode } from './open.ts';

type Request = FastifyRequest<{ Params: { '*': string } }>;

/** The headers of every answer: it is for this visitor and this moment, and the chat app does not learn an address of ours. */
const privacy = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
const privacyList = Object.entries(privacy).flat();
const errorOf: Record<DeadEnd, ApiError> = { unknown: new ApiError('not_found'), gone: new ApiError('link_gone') };
const prefix = '/l/';
const otherMethods = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The public address of links, as the OpenAPI document lists it. */
export const linkOperations: Operation[] = [
  {
    method: 'GET',
    url: '/l/:shortcode',
    operationId: 'openLink',
    summary: 'Open a link of a chat intro: redirects to the chat app',
    description:
      'For people, who get a page if the link does not work, and for programs that accept only JSON. Previews and crawlers get ' +
      'the same response, but they are not counted, do not use up a link and connect nobody.',
    tag: 'Chat intros',
    scope: 'public',
    params: Type.Object({ shortcode: Type.String({ examples: ['k7m2q9xw4t'] }) }),
    responses: { 302: null },
    errors: [405, 410],
  },
];

/** Serves the links of chat intros. It takes no token: whoever has the code may open it. */
export function serveLinks(app: FastifyInstance, deps: Deps, metrics: Registry): void {
  const opener = makeOpener(deps);
  const visitors = makeVisitors(deps.vault);
  const clicks = startClickLog(deps, metrics);
  app.addHook('onClose', () => clicks.stop());
  const count = answerCounter(metrics);
  const isProxy = makeIsProxy(deps.config.trustProxy);

  const note = (found: Chat | Page, visitor: string | null, atMs: number): void => {
    const isChat = found.link !== 'CAMPAIGN';
    (isChat ? count.chat : count.page).inc();
    if (visitor !== null) clicks.add(isChat ? openingOf(found, visitor, atMs) : { ...found, visitor, atMs });
  };
  const answer = (
    request: Request,
    reply: FastifyReply,
    found: Chat | Page | DeadEnd,
    visitor: string | null,
    atMs: number,
  ) => {
    if (typeof found === 'string') {
      count[found].inc();
      replyDeadEnd(request, reply, found);
      return;
    }
    note(found, visitor, atMs);
    const location = addressOf(found, originOf(deps.config, request));
    // From here on Fastify answers no error any more.
    reply.hijack();
    redirect(reply.raw, location, request.id);
  };

  const answerEarly: EarlyAnswer = (request, response, newId) => {
    const { method, url = '', headers } = request;
    if (method !== 'GET') return false;
    const code = url.slice(prefix.length);
    const known = opener.recall(code);
    if (known === undefined && !shortcode.test(code)) return false;
    const atMs = deps.clock.now().getTime();
    const visitor = visitors.nameOf({ method, headers, ip: addressFrom(request, isProxy) }, atMs);
    const origin = originOf(deps.config, {
      protocol: isEncrypted(request) ? 'https' : 'http',
      host: headers.host ?? '',
    });
    const lead = (found: Chat | Page): true => {
      note(found, visitor, atMs);
      redirect(response, addressOf(found, origin), newId());
      return true;
    };
    if (known) return lead(known);
    // Where there is nothing to open the router has the page that says so.
    return opener.open(code, { byPerson: visitor !== null, origin: () => origin }).then(
      (found) => typeof found === 'object' && lead(found),
      () => false,
    );
  };

  const openingOf = ({ accountId, chatIntro, link, session, carrier }: Chat, visitor: string, atMs: number): Click => {
    const openedMs = deps.carriers.get(carrier).clock(accountId).now().getTime();
    return { accountId, chatIntro, link, session, visitor, atMs, openedMs };
  };

  // A link that was opened a moment ago, as popular ones were, is answered without waiting for anything. Only the router knows by
  // which name a proxy was called.
  const { trustProxy, PUBLIC_URL } = deps.config;
  if (trustProxy === false || PUBLIC_URL !== '') app.answerEarly(prefix, answerEarly);

  // A program that resolves `chat_link` against the address that it called comes here.
  for (const url of ['/v2/chatapp/l/:code', '/v2/chatapp/chat-intros/l/:code']) {
    app.get<{ Params: { code: string } }>(url, (request, reply) => {
      const location = `${originOf(deps.config, request)}${prefix}${encodeURIComponent(request.params.code)}`;
      return reply.headers(privacy).redirect(location, 302);
    });
  }

  app.register(
    async (scope) => {
      // Every address below, however long, is answered with a page that people understand.
      scope.get('/*', (request: Request, reply) => {
        const atMs = deps.clock.now().getTime();
        const visitor = visitors.nameOf(request, atMs);
        const visit = { byPerson: visitor !== null, origin: () => originOf(deps.config, request) };
        opener
          .open(request.params['*'], visit)
          .then((found) => answer(request, reply, found, visitor, atMs))
          .catch((error) => reply.send(error));
      });
      // Before the body is looked at: it does not matter what it holds.
      const onRequest = (request: FastifyRequest) => Promise.reject(notAllowed(request));
      scope.route({ method: otherMethods, url: '/*', onRequest, handler: () => {} });
    },
    { prefix: prefix.slice(0, -1) },
  );
}

/** As Fastify finds it for all others. */
function addressFrom({ headers, socket }: IncomingMessage, isProxy: IsProxy): string {
  const forwarded = headers['x-forwarded-for'] as string | undefined;
  return clientAddress(socket.remoteAddress ?? '', forwarded, isProxy);
}

const addressOf = ({ location }: Chat | Page, origin: string): string =>
  location.startsWith('/') ? origin + location : location;

/** Answers without Fastify, whose way is made for bodies and would take a tenth of the whole request (28 µs instead of 25). */
function redirect(response: ServerResponse, location: string, id: string): void {
  response
    .writeHead(302, ['location', locationValue(location), ...privacyList, 'x-request-id', id, 'content-length', '0'])
    .end();
}

function replyDeadEnd({ headers }: Request, reply: FastifyReply, end: DeadEnd): void {
  const { status, message, code } = errorOf[end];
  reply.headers(privacy).code(status);
  const { accept = '' } = headers;
  if (accept.includes('json') && !accept.includes('html')) reply.send({ detail: message, code });
  else reply.headers(pageHeaders).send(pages[end]);
}

const notAllowed = ({ method }: FastifyRequest): ApiError =>
  new ApiError('method_not_allowed', { detail: `Method "${method}" not allowed.`, headers: { allow: 'GET, HEAD' } });

/** The series are looked up once: that costs more than counting. */
function answerCounter(metrics: Registry) {
  const answers = new Counter({
    name: 'parley_link_answers_total',
    help: 'Links that were asked for, by what they led to.',
    labelNames: ['answer'],
    registers: [metrics],
  });
  const of = (answer: string) => answers.labels({ answer });
  return { chat: of('chat'), page: of('page'), unknown: of('unknown'), gone: of('gone') };
}

/** How the caller reaches this server: as the operator's settings say, else by the name that was just used. */
export const originOf = (
  { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>,
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
): string => (PUBLIC_URL === '' ? `${protocol}://${host}` : PUBLIC_URL.replace(/\/$/, ''));
