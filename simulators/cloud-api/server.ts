import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Fault } from './control/faults.ts';
import { mountControl } from './control/routes.ts';
import { makeCall } from './graph/call.ts';
import { errorBody, GraphError } from './graph/errors.ts';
import { accountCharged, answer } from './graph/graph.ts';
import { openMediaUrl } from './media/media.ts';
import type { Sim } from './sim.ts';

/** A request as it came, byte for byte, and what it was answered. */
export interface Received {
  at: Date;
  method: string;
  url: string;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  /** null: it got no answer, by a fault. */
  status: number | null;
  answer: unknown;
}

/** The version of paths that name none. */
const pinnedVersion = 'v26.0';

/** The largest document, and the parts around it. */
const bodyLimitBytes = 101 * 1024 * 1024;

/** The platform's HTTP side: Graph at every path, files under their links, and the control surface. */
export function makeGraphServer(sim: Sim, received: Received[]): FastifyInstance {
  const app = Fastify({
    bodyLimit: bodyLimitBytes,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 500 },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  mountControl(app, sim, received);
  app.get('/whatsapp_business/attachments/', (request, reply) => sendFile(sim, request, reply));
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/*',
    handler: (request, reply) => serve(sim, received, request, reply),
  });
  app.setErrorHandler((error, _request, reply) => {
    const graph = error instanceof GraphError ? error : new GraphError(1, String((error as Error).message));
    return reply.code(graph.status).send(errorBody(graph, sim.ids.trace()));
  });
  return app;
}

async function serve(sim: Sim, received: Received[], request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const entry: Received = {
    at: sim.time.now(),
    method: request.method,
    url: request.url,
    headers: request.headers,
    body: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
    status: null,
    answer: null,
  };
  received.push(entry);
  if (received.length > 2 * sim.settings.keep) received.splice(0, sim.settings.keep);
  const call = callOf(entry);
  const fault = sim.faults.pick(call.edge || 'object');
  if (fault?.kind === 'hang' || fault?.kind === 'reset') return breakOff(reply, fault);
  const outcome = await carryOut(sim, call, fault);
  reply.headers(outcome.headers);
  if (fault?.kind === 'lost-answer') return breakOff(reply, fault);
  if (fault?.kind === 'late') await new Promise<void>((resolve) => sim.time.later(fault.delayMs, resolve));
  entry.status = outcome.status;
  entry.answer = outcome.body;
  await reply.code(outcome.status).type('application/json; charset=UTF-8').send(JSON.stringify(outcome.body));
}

/** Leaves the caller without an answer; what hangs is ended when the simulator closes. */
function breakOff(reply: FastifyReply, fault: Fault): void {
  reply.hijack();
  if (fault.kind !== 'hang') reply.raw.socket?.resetAndDestroy();
}

function callOf({ method, url, headers, body }: Received) {
  const { pathname, searchParams } = new URL(url, 'http://graph');
  const segments = pathname.split('/').filter(Boolean).map(decodeURIComponent);
  const version = /^v\d+\.\d+$/.test(segments[0] ?? '') ? segments.shift()! : pinnedVersion;
  const [id = '', edge = '', ...rest] = segments;
  return makeCall({ method, version, id, edge, rest: rest.join('/'), query: searchParams, headers, body });
}

async function carryOut(sim: Sim, call: ReturnType<typeof callOf>, fault: Fault | undefined) {
  const trace = sim.ids.trace();
  const headers: Record<string, string> = { 'facebook-api-version': call.version, 'x-fb-trace-id': trace };
  try {
    if (fault?.kind === 'error') {
      throw new GraphError(
        fault.code,
        'A fault of the simulator.',
        fault.status === undefined ? {} : { status: fault.status },
      );
    }
    checkToken(sim, tokenOf(call.headers.authorization, call.query));
    const account = accountCharged(sim, call);
    if (account !== undefined) headers['x-business-use-case-usage'] = sim.limits.management(account);
    return { status: 200, headers, body: await answer(sim, call) };
  } catch (error) {
    if (!(error instanceof GraphError)) throw error;
    return { status: error.status, headers, body: errorBody(error, trace) };
  }
}

const tokenOf = (authorization: string | undefined, query: URLSearchParams): string | undefined =>
  /^(?:Bearer|OAuth)\s+(\S+)$/.exec(authorization ?? '')?.[1] ?? query.get('access_token') ?? undefined;

function checkToken({ world }: Sim, token: string | undefined): void {
  const known = token === undefined ? undefined : world.tokens.get(token);
  // The app's own token: only for what concerns the app itself, which is not looked at here.
  if (token === `${world.app.id}|${world.app.secret}`) return;
  if (known && !known.expired) return;
  if (known) {
    const message = 'Error validating access token: Session has expired.';
    throw new GraphError(190, undefined, { message, subcode: 463 });
  }
  const message =
    token === undefined
      ? 'An access token is required to request this resource.'
      : 'Invalid OAuth access token - Cannot parse access token';
  throw new GraphError(190, undefined, { message });
}

/** The bytes behind a media link: with the token, for five minutes, 404 afterwards. */
function sendFile(sim: Sim, request: FastifyRequest, reply: FastifyReply) {
  const query = new URL(request.url, 'http://graph').searchParams;
  checkToken(sim, tokenOf(request.headers.authorization, new URLSearchParams()));
  const media = openMediaUrl(sim, query);
  if (!media) return reply.code(404).type('text/plain').send('Not Found');
  return reply.type(media.mimeType).send(media.bytes);
}
