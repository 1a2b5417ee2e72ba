import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, notFound } from '../../platform/errors.ts';
import { replyWithError } from '../../platform/http/error-reply.ts';
import type { EarlyAnswer } from '../../platform/http/wire/early.ts';
import { refusedEncoding } from '../../platform/http/wire/protocol-errors.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { inRequest } from '../../platform/observe/context.ts';
import type { Sender } from '../ports/chat.ts';
import type { Inbox } from '../ports/inbox.ts';

const carrier = 'cloud-api';
const prefix = `/carriers/${carrier}/`;
const suffix = '/webhook';
const signatureHeader = 'x-hub-signature-256';
/** The platform sends at most 3 MB at once. */
const bodyLimitBytes = 4 * 1024 * 1024;

interface Webhook {
  inbox: Inbox;
  log: Log;
}

type Request = FastifyRequest<{ Params: { uuid: string }; Querystring: Record<string, unknown> }>;

/**
 * Where the platform brings what happens: the signature over the bytes as they came, then stored, then 200; nothing is
 * interpreted. Anything but 200 makes the platform try again, for seven days.
 */
export function serveCloudWebhook(app: FastifyInstance, { inbox, log }: Webhook): void {
  app.register(
    async (scope) => {
      // In here bodies are bytes, whatever they say they are: the signature is over them.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyLimitBytes }, (_request, body, done) =>
        done(null, body),
      );
      scope.setErrorHandler((error, request, reply) => replyWithError(inOurWords(error), request, reply, log));
      scope.get('/', (request: Request, reply) => verify(request, reply, { inbox, log }));
      scope.post('/', (request: Request, reply) => keep(request, reply, { inbox, log }));
    },
    { prefix: `${prefix}:uuid/webhook` },
  );
  // The router's log line of each request is wanted at this level.
  if (!log.isLevelEnabled('debug')) app.answerEarly(prefix, makeEarlyKeep({ inbox, log }));
}

/**
 * The same as the route, for requests as the platform sends them, at two thirds of what they cost there. Everything else is left to the
 * route: the handshake, bodies of unknown length, and what is to be refused for its address or its size.
 */
const makeEarlyKeep =
  (webhook: Webhook): EarlyAnswer =>
  (request, response, idOf) => {
    const { method, url = '', headers } = request;
    if (method !== 'POST' || !url.endsWith(suffix)) return false;
    if (!(Number(headers['content-length']) <= bodyLimitBytes) || refusedEncoding(request)) return false;
    const uuid = url.slice(prefix.length, -suffix.length);
    const requestId = idOf();
    return inRequest({ requestId }, async () => {
      const body = await readWhole(request);
      // Who hung up gets no answer.
      if (body === undefined) return true;
      await keepSigned(uuid, headers[signatureHeader], body, webhook);
      response.writeHead(200, { 'x-request-id': requestId, 'content-length': '0' }).end();
      return true;
    });
  };

/** The whole body; undefined where its sender went away before its end. */
const readWhole = (request: IncomingMessage): Promise<Buffer | undefined> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    request.on('close', () => resolve(undefined));
  });

const inOurWords = (error: unknown): unknown =>
  (error as { code?: unknown }).code === 'FST_ERR_CTP_BODY_TOO_LARGE'
    ? new ApiError('payload_too_large', { detail: 'The request body is larger than 4 MiB.' })
    : error;

/** The handshake: the platform asks whether we know the token that was typed into it beside our address. */
async function verify({ params, query }: Request, reply: FastifyReply, webhook: Webhook): Promise<FastifyReply> {
  const sender = await senderOf(params.uuid, webhook);
  const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = query;
  const right = mode === 'subscribe' && typeof token === 'string' && sameText(token, sender.settings.verify_token);
  if (!right || typeof challenge !== 'string') throw new ApiError('permission_denied');
  return reply.header('x-content-type-options', 'nosniff').type('text/plain; charset=utf-8').send(challenge);
}

async function keep({ params, headers, body }: Request, reply: FastifyReply, webhook: Webhook): Promise<FastifyReply> {
  await keepSigned(params.uuid, headers[signatureHeader], Buffer.isBuffer(body) ? body : Buffer.alloc(0), webhook);
  return reply.code(200).send();
}

async function keepSigned(
  uuid: string,
  signature: string | string[] | undefined,
  body: Buffer,
  webhook: Webhook,
): Promise<void> {
  const sender = await senderOf(uuid, webhook);
  const digest = checkSignature(signature, body, sender.settings.app_secret);
  await orLater(webhook.inbox.keep({ sender, carrier, body, digest }), webhook);
}

/** A malformed id names nothing that exists. */
async function senderOf(id: string, webhook: Webhook): Promise<Sender> {
  const sender = isUuid(id) ? await orLater(webhook.inbox.findSender(id.toLowerCase(), carrier), webhook) : undefined;
  if (!sender) throw notFound();
  return sender;
}

/** Whatever is wrong on our side, the platform shall come again. */
function orLater<T>(work: Promise<T>, { log }: Webhook): Promise<T> {
  return work.catch((error: unknown) => {
    log.error({ err: error }, 'A webhook of the Cloud API could not be taken; it will be sent again');
    throw new ApiError('unavailable', { headers: { 'retry-after': '1' } });
  });
}

/** `sha256=` and 64 digits: HMAC-SHA256 of the exact bytes under the app's secret, which is returned. */
function checkSignature(header: string | string[] | undefined, bytes: Buffer, secret: string | undefined): Buffer {
  const given = /^sha256=([0-9a-f]{64})$/i.exec(String(header))?.[1];
  if (given === undefined) throw new ApiError('signature_missing');
  // Without a secret anybody could sign.
  if (!secret) throw new ApiError('signature_invalid');
  const expected = createHmac('sha256', secret).update(bytes).digest();
  if (!timingSafeEqual(expected, Buffer.from(given, 'hex'))) throw new ApiError('signature_invalid');
  return expected;
}

/** In a time that does not depend on where they differ: hashes are compared, and are of one length. */
const sameText = (given: string, right: string | undefined): boolean =>
  right !== undefined && right !== '' && timingSafeEqual(digest(given), digest(right));
const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
