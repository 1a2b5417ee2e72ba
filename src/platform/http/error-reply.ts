import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseAway, isOutcomeUnknown } from '../db/failure.ts';
import { ApiError, ValidationError } from '../errors.ts';
import type { Log } from '../log.ts';

/** Turns whatever was thrown into the API's answer. Unknown errors are logged whole and answered without their insides. */
export function replyWithError(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): void {
  if (error instanceof ValidationError) {
    reply.code(400).send(error.errors);
    return;
  }
  const known = knownError(error, request, log);
  if (known) {
    reply.headers(known.headers).code(known.status).send({ detail: known.message, code: known.code });
    return;
  }
  log.error(
    { err: error, requestId: request.id, method: request.method, url: request.routeOptions.url },
    'Unexpected error',
  );
  const failure = new ApiError('internal_error');
  reply.code(500).send({ detail: failure.message, code: failure.code, request_id: request.id });
}

function knownError(error: unknown, request: FastifyRequest, log: Log): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (!isDatabaseAway(error)) return fromFastify(error as FastifyError, request);
  log.warn({ error: (error as Error).message, requestId: request.id }, 'The database did not answer');
  const code = isOutcomeUnknown(error) && !readingMethods.has(request.method) ? 'unknown_outcome' : 'unavailable';
  return new ApiError(code, { headers: { 'retry-after': '1' } });
}

/** What they ask for can be asked for again, whatever they write beside. */
const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Fastify's own refusals, said in DRF's words. */
function fromFastify(error: FastifyError, request: FastifyRequest): ApiError | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('unsupported_media_type', {
        detail: `Unsupported media type "${request.headers['content-type'] ?? ''}" in request.`,
      });
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('payload_too_large');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ApiError('parse_error', { detail: 'JSON parse error - the body does not have the announced length.' });
    case 'FST_ERR_BAD_URL':
    // Longer than anything that names something.
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ApiError('not_found');
    default:
      return error.statusCode === 400 ? new ApiError('parse_error') : undefined;
  }
}
