import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** A shorter answer fits into a packet or two, and is not compressed. */
const leastBytes = 1024;
/** In between the fastest and the smallest: a page of a list takes a millisecond, in a thread of its own. */
const brotli = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};

const ways = {
  br: (text: string | Buffer) => promisify(brotliCompress)(text, brotli),
  gzip: (text: string | Buffer) => promisify(gzip)(text),
} as const;
export type Way = keyof typeof ways;

/** For what is compressed once and kept. */
export const compress = (text: string, way: Way): Promise<Buffer> => ways[way](text);

/** Compresses JSON of a kilobyte and more for clients that take it. */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isWorthIt(reply, payload)) return done(null, payload);
    addVary(reply, 'Accept-Encoding');
    const way = preferredWay(request.headers['accept-encoding']);
    if (!way) return done(null, payload);
    ways[way](payload).then(
      (compressed) => {
        reply.header('content-encoding', way);
        done(null, compressed);
      },
      // If it cannot be compressed, it is sent as it is.
      () => done(null, payload),
    );
  });
}

const isWorthIt = (reply: FastifyReply, payload: unknown): payload is string | Buffer =>
  (typeof payload === 'string' || Buffer.isBuffer(payload)) &&
  payload.length >= leastBytes &&
  !reply.hasHeader('content-encoding') &&
  /^application\/(?:[\w.-]+\+)?json\b/.test(String(reply.getHeader('content-type')));

function addVary(reply: FastifyReply, name: string): void {
  const before = reply.getHeader('vary');
  reply.header('vary', before === undefined ? name : `${before}, ${name}`);
}

/** The better one of those that `Accept-Encoding` allows; a weight of 0 forbids. */
export function preferredWay(header: string | string[] | undefined): Way | undefined {
  const weights = new Map<string, number>();
  for (const part of String(header ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  const allows = (way: Way): boolean => (weights.get(way) ?? weights.get('*') ?? 0) > 0;
  return (Object.keys(ways) as Way[]).find(allows);
}
