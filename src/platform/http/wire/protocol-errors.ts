// Answers to what never becomes a request: written to the socket itself, in the form that every other error has.
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../../errors.ts';

/** For how long what still comes is read and dropped, so that the caller gets to read the answer instead of a reset. */
const lingerMs = 1_000;

/** Answers on the bare socket and closes it. Where an answer has begun already, all that is left is to close. */
export function refuseOnSocket(socket: Socket, error: ApiError, requestId: string): void {
  if (socket.writableEnded) return;
  const body = JSON.stringify({ detail: error.message, code: error.code });
  const fields = fieldsOf(error, body, requestId);
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => {});
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`);
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer)).resume();
}

const fieldsOf = ({ headers }: ApiError, body: string, requestId: string): Record<string, string> => ({
  ...headers,
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(body)),
  'x-request-id': requestId,
  connection: 'close',
});

/** The same where there is a response to write it with; `more` stands in the body, too. */
export function replyOn(response: ServerResponse, error: ApiError, requestId: string, more: object = {}): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = JSON.stringify({ detail: error.message, code: error.code, ...more });
  response.writeHead(error.status, fieldsOf(error, body, requestId)).end(body);
}

/** Lets the server answer in the house's form where Node would answer with none, or close without a word. */
export function answerProtocolErrors(server: Server, newId: () => string): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const { _httpMessage: response } = socket as Socket & { _httpMessage?: ServerResponse };
    if (error.code === 'ECONNRESET' || socket.destroyed || response?.headersSent) socket.destroy();
    else refuseOnSocket(socket, errorOf(error), newId());
  });
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    replyOn(response, new ApiError('expectation_failed'), newId());
  });
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    const detail = 'Method "CONNECT" not allowed.';
    refuseOnSocket(socket, new ApiError('method_not_allowed', { detail }), newId());
  });
}

function errorOf({ code }: NodeJS.ErrnoException): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('headers_too_large');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ApiError('payload_too_large', { detail: 'The chunk extensions of the body are too large.' });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('request_timeout');
    default:
      return new ApiError('bad_request');
  }
}

/** RFC 9112, 3.2: the one header that every request of HTTP/1.1 needs. */
export const lacksHost = ({ headers, httpVersion }: IncomingMessage): boolean =>
  headers.host === undefined && httpVersion === '1.1';

/** A body that is compressed: it is not read, because a few bytes of it may stand for gigabytes. */
export function refusedEncoding({ headers }: Pick<IncomingMessage, 'headers'>): ApiError | undefined {
  const encoding = headers['content-encoding'];
  if (encoding === undefined || /^\s*(identity\s*)?$/i.test(encoding)) return undefined;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return undefined;
  return new ApiError('unsupported_media_type', {
    detail: `Unsupported content encoding "${encoding}" in request.`,
    headers: { 'accept-encoding': 'identity' },
  });
}
