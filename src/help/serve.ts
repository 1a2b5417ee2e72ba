import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { compress, preferredWay, type Way } from '../platform/http/compress.ts';

export const assets = path.join(import.meta.dirname, 'assets');
export const images = path.join(import.meta.dirname, '..', '..', 'docs', 'images');

/** Pages load nothing from anywhere else and run no script but ours. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
const htmlType = 'text/html; charset=utf-8';

/** What is served under an address. It is hashed once, and compressed for the first reader who takes it so. */
interface Prepared extends Partial<Record<Way, Promise<Buffer>>> {
  type: string;
  text: string;
  etag: string;
}

/** Serves the documentation at `/help/`. It is made when it is first asked for, and kept. */
export function serveHelp(app: FastifyInstance, document: () => object): void {
  let made: Promise<ReadonlyMap<string, Prepared>> | undefined;
  const load = (): Promise<ReadonlyMap<string, Prepared>> => {
    made ??= prepareAll(document).catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };

  app.register(fastifyStatic, { root: images, prefix: '/help/images/', decorateReply: false, index: false });

  const answer = async (request: FastifyRequest, reply: FastifyReply, name: string): Promise<unknown> => {
    reply.headers(headers);
    const all = await load();
    const [place = ''] = request.url.split('?');
    const isFile = all.has(name) && !name.endsWith('/') && name !== '';
    // Links on a page are relative to its address, which ends with a slash. The dot keeps what looks like a scheme in the path.
    if (!isFile && !place.endsWith('/')) return reply.redirect(`./${path.posix.basename(place)}/`, 302);
    const found = isFile || name === '' ? all.get(name) : all.get(`${name.replace(/\/$/, '')}/`);
    if (!found) return reply.code(404).type(htmlType).send(notFoundPage);
    reply.headers({ etag: found.etag, 'cache-control': 'no-cache', vary: 'Accept-Encoding' });
    if (request.headers['if-none-match'] === found.etag) return reply.code(304).send();
    const way = preferredWay(request.headers['accept-encoding']);
    if (!way) return reply.type(found.type).send(found.text);
    found[way] ??= compress(found.text, way);
    return reply
      .type(found.type)
      .header('content-encoding', way)
      .send(await found[way]);
  };
  app.get('/help', (request, reply) => answer(request, reply, ''));
  app.get<{ Params: { '*': string } }>('/help/*', (request, reply) => answer(request, reply, request.params['*']));
}

/** Every page by its address, and the files beside them. The renderer is loaded for the first reader, not at the start. */
async function prepareAll(document: () => object): Promise<ReadonlyMap<string, Prepared>> {
  const { buildSite } = await import('./site.ts');
  const { pages, search } = await buildSite(document() as Parameters<typeof buildSite>[0]);
  const asset = (name: string): Promise<string> => readFile(path.join(assets, name), 'utf8');
  const texts: [name: string, type: string, text: string][] = [
    ...[...pages].map(([address, html]): [string, string, string] => [address, htmlType, html]),
    ['search.json', 'application/json; charset=utf-8', search],
    ['help.css', 'text/css; charset=utf-8', await asset('help.css')],
    ['help.js', 'text/javascript; charset=utf-8', await asset('help.js')],
  ];
  return new Map(
    texts.map(([name, type, text]) => [name, { type, text, etag: `"${hash('sha256', text, 'base64url')}"` }]),
  );
}

const notFoundPage = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Not found · Parley help</title><link rel="icon" href="data:,"></head>
  <body><h1>There is no such page</h1><p>Look for it from the front page of the help, <code>/help/</code>.</p></body>
</html>
`;
