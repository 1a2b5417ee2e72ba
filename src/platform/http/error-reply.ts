import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type DatabaseTrouble, databaseTrouble, isOutcomeUnknown, isReferenceGone } from '../db/connect/failure.ts';
import { ApiError, ValidationError } from '../errors.ts';
import { FileStoreError } from '../files/files.ts';
import type { Log } from '../log.ts';
import { isDiskFull } from '../process/disk.ts';
import { Unreadable } from '../secrets.ts';

/** Turns whatever was thrown into the API's answer. Unknown errors are logged whole and answered without their insides. */
export function replyWithError(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): void {
  if (error instanceof ValidationError) {
    reply.code(400).send(error.errors);
    return;
  }
  const known = asApiError(error, request, log);
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

/** The answer to a known error; undefined: nobody foresaw it. */
export function asApiError(error: unknown, request: FastifyRequest, log: Log): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error instanceof Unreadable) return new ApiError('secret_unreadable');
  if (error instanceof FileStoreError) {
    log.warn({ error: error.message, requestId: request.id }, 'The file store is of no use now');
    return fileStoreAway();
  }
  if (isReferenceGone(error)) {
    log.warn(
      { error: (error as Error).message, requestId: request.id },
      'A request refers to what was deleted meanwhile',
    );
    return new ApiError('reference_gone');
  }
  const trouble = isDiskFull(error) ? 'full' : databaseTrouble(error);
  if (!trouble) return fromFastify(error as FastifyError, request);
  log.warn({ error: (error as Error).message, requestId: request.id }, descriptions[trouble]);
  const isUnknown = isOutcomeUnknown(error) && !readingMethods.has(request.method);
  return isUnknown ? new ApiError('unknown_outcome', { headers: { 'retry-after': '1' } }) : troubles[trouble]();
}

/** Methods that can be repeated, whatever the handler writes on the side. */
const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

const descriptions: Record<DatabaseTrouble, string> = {
  away: 'The database did not answer',
  crowded: 'The database has no connection to spare',
  full: 'There is no room left on the disk',
  slow: 'The database did not answer in time',
};

/** When the database lacks something, the caller did nothing wrong, and the same request may succeed later. */
const troubles: Record<DatabaseTrouble, () => ApiError> = {
  away: () => new ApiError('unavailable', { headers: { 'retry-after': '1' } }),
  crowded: () => new ApiError('busy', { headers: { 'retry-after': '2' } }),
  full: () => new ApiError('disk_full', { headers: { 'retry-after': '30' } }),
  slow: () => new ApiError('busy', { headers: { 'retry-after': '5' } }),
};

const fileStoreAway = (): ApiError =>
  new ApiError('unavailable', {
    detail: 'The file store is unavailable. Try again shortly.',
    headers: { 'retry-after': '5' },
  });

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
    // Fastify's router gives up on a method that no route can have, such as PRI.
    case 'FST_ERR_NOT_FOUND':
      return new ApiError('method_not_allowed', {
        detail: `Method "${request.method}" not allowed.`,
        headers: { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE', 'x-request-id': request.id },
      });
    case 'FST_ERR_BAD_URL':
    // Longer than anything that names something.
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ApiError('not_found');
    default:
      return error.statusCode === 400 ? new ApiError('parse_error') : undefined;
  }
}
