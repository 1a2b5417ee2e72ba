import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Deps } from '../../deps.ts';
import { ApiError, ValidationError } from '../../platform/errors.ts';
import { type Authenticate, type Gate, readToken, throttled } from '../../platform/http/access/gate.ts';
import { Uuid } from '../../platform/http/openapi/models.ts';
import type { Operation } from '../../platform/http/openapi/openapi.ts';
import { allows, type Scope } from '../../platform/http/route.ts';
import { queryValidator } from '../../platform/http/validation/index.ts';
import type { NewEvent } from './queries.ts';
import { type EventRow, frames } from './stream.ts';

const url = '/v2/events/stream/';
const Query = Type.Object({ after: Type.Optional(Uuid('Begin with the events that follow this one.')) });
const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // When it ends the server may be closing, and would wait for the next request on a connection that stays.
  connection: 'close',
  // Proxies that gather answers before they pass them on would gather for ever.
  'x-accel-buffering': 'no',
};
/** Per account and process: each open stream asks the database twice a second. */
const mostStreams = 20;
const lastWordsMs = 1000;

/** The stream, as the OpenAPI document lists it. */
export const streamOperations: Operation[] = [
  {
    method: 'GET',
    url,
    operationId: 'streamEvents',
    summary: 'The timeline, live',
    description:
      'Server-sent events: `event` is the kind, `id` the uuid, `data` a TimelineEvent as JSON. It begins with the next event, or ' +
      'after the event named by the header `Last-Event-ID` or by `after`. A comment is sent every 15 seconds when nothing ' +
      'happens. A client that does not read for 30 seconds is disconnected, and may resume. With the scope `account:read` ' +
      'it has every event; otherwise it has the events of what your scopes let you read, such as messages with `chatapp:read`.',
    tag: 'Events',
    scope: 'any',
    query: Query,
    responses: { 200: Type.String({ contentMediaType: 'text/event-stream' }) },
    errors: [403, 405, 429],
  },
];

export interface StreamOptions {
  gate: Gate;
  authenticate: Authenticate;
}

/**
 * Serves the live timeline. It is no route like the others: it does not end by itself, so the server must end it before it
 * can close. Nothing is asked of the database while nobody listens.
 */
export function serveEventStream(app: FastifyInstance, deps: Deps, { gate, authenticate }: StreamOptions): void {
  const check = queryValidator(Query);
  const open = new Map<string, Set<AbortController>>();
  const closing = new AbortController();

  const enter = (accountId: string): AbortController => {
    const streams = open.get(accountId) ?? new Set();
    if (streams.size >= mostStreams) throw throttled(10);
    const stream = new AbortController();
    open.set(accountId, streams.add(stream));
    return stream;
  };
  const leave = (accountId: string, stream: AbortController): void => {
    stream.abort();
    const streams = open.get(accountId);
    if (streams?.delete(stream) && streams.size === 0) open.delete(accountId);
  };

  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const after = readPosition(request, check);
    // HEAD would have the server read to an end that never comes.
    if (request.method === 'HEAD') return reply.headers(headers).send();
    const { accountId } = request.principal!;
    let { scopes, redactsContent = false } = request.principal!;
    // The gate has let it pass, so there is one.
    const token = readToken(request) as string;
    const stream = enter(accountId);
    const signal = AbortSignal.any([stream.signal, closing.signal]);
    const mayRead = async () => {
      const principal = await authenticate(token);
      if (principal) ({ scopes, redactsContent = false } = principal);
      return principal !== null && !principal.refusal && !principal.mustEnrol;
    };
    const isMeant = ({ subject_type }: EventRow) => mayFollow(scopes, subject_type);
    const isRedacted = () => redactsContent;
    const cutOff = () => void body.destroy(new Error('The other side did not read.'));
    const body: Readable = Readable.from(
      frames(deps.db, accountId, { after, signal, mayRead, isMeant, isRedacted, cutOff }),
    );
    reply.raw.once('close', () => leave(accountId, stream));
    body.on('error', (err) => deps.log.warn({ err, requestId: request.id }, 'A stream of events broke off'));
    // Whoever does not even take the end is not waited for.
    signal.addEventListener('abort', () => void setTimeout(() => body.destroy(), lastWordsMs).unref(), { once: true });
    reply.headers(headers);
    return body;
  };

  app.addHook('preClose', (done) => {
    closing.abort();
    done();
  });
  app.route({ method: 'GET', url, onRequest: gate('any'), handler: answer });
  app.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE'],
    url,
    onRequest: gate('any'),
    handler: async ({ method }) => {
      throw new ApiError('method_not_allowed', {
        detail: `Method "${method}" not allowed.`,
        headers: { allow: 'GET, HEAD' },
      });
    },
  });
}

/** The event after which to begin. What a client remembers by itself is newer than the address it was given. */
function readPosition(request: FastifyRequest, check: ReturnType<typeof queryValidator<typeof Query>>) {
  const query = check(request.query);
  if (query.errors) throw new ValidationError(query.errors);
  const remembered = request.headers['last-event-id'];
  if (remembered === undefined || remembered === '') return query.value.after?.toLowerCase();
  const { value, errors } = check({ after: remembered });
  if (errors) throw new ValidationError({ 'Last-Event-ID': ['Must be a valid UUID.'] });
  return value.after?.toLowerCase();
}

/** The group of scopes that an event belongs to, by what it is about. */
const groups: Record<NewEvent['subjectType'], string> = {
  account: 'account',
  audio_file: 'voice',
  call: 'calls',
  campaign: 'campaigns',
  campaign_log: 'campaigns',
  chat_intro: 'chatapp',
  chatapp_account: 'inbox',
  contact: 'contacts',
  flow: 'chatapp',
  job: 'jobs',
  lead: 'leads',
  list: 'contacts',
  media: 'chatapp',
  message: 'inbox',
  number: 'number',
  opt_out: 'optouts',
  safeguard: 'account',
  sip_trunk: 'voice',
  sms: 'sms',
  sms_link: 'sms',
  template: 'inbox',
  webhook: 'webhook',
};

/**
 * Whether somebody with these scopes may learn of an event: `account:read` covers the whole timeline, as in `GET /v2/events/`;
 * without it, what happens to a thing is for those who may read the thing.
 */
export function mayFollow(scopes: readonly string[], subjectType: string): boolean {
  if (allows(scopes, 'account:read')) return true;
  const group = groups[subjectType as NewEvent['subjectType']];
  return group !== undefined && allows(scopes, `${group}:read` as Scope);
}
