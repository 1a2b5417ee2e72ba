import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Site } from './site.ts';

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

/** Serves the documentation at `/help/`. It is made when it is first asked for, and kept. */
export function serveHelp(app: FastifyInstance, document: () => object): void {
  let site: Promise<Site> | undefined;
  const load = (): Promise<Site> => {
    site ??= build(document).catch((error) => {
      site = undefined;
      throw error;
    });
    return site;
  };

  app.register(fastifyStatic, { root: images, prefix: '/help/images/', decorateReply: false, index: false });

  const send = (request: FastifyRequest, reply: FastifyReply, type: string, text: string): unknown => {
    const etag = `"${hash('sha256', text, 'base64url')}"`;
    reply.headers({
      etag,
      'cache-control': 'no-cache',
      'content-security-policy': contentSecurityPolicy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.type(type).send(text);
  };

  app.get('/help/search.json', async (request, reply) =>
    send(request, reply, 'application/json; charset=utf-8', (await load()).search),
  );
  for (const [name, type] of [
    ['help.css', 'text/css; charset=utf-8'],
    ['help.js', 'text/javascript; charset=utf-8'],
  ] as const) {
    app.get(`/help/${name}`, async (request, reply) =>
      send(request, reply, type, await readFile(path.join(assets, name), 'utf8')),
    );
  }
  app.get('/help', async (request, reply) => page(request, reply, ''));
  app.get<{ Params: { '*': string } }>('/help/*', async (request, reply) => page(request, reply, request.params['*']));

  const page = async (request: FastifyRequest, reply: FastifyReply, address: string): Promise<unknown> => {
    const [place = ''] = request.url.split('?');
    // Links on a page are relative to its address, which ends with a slash.
    if (!place.endsWith('/')) return reply.redirect(`${path.posix.basename(place)}/`, 302);
    const { pages } = await load();
    const html = pages.get(address === '' ? '' : `${address.replace(/\/$/, '')}/`);
    if (html !== undefined) return send(request, reply, 'text/html; charset=utf-8', html);
    return send(request, reply.code(404), 'text/html; charset=utf-8', notFoundPage);
  };
}

/** The renderer is loaded for the first reader, not at the start. */
async function build(document: () => object): Promise<Site> {
  const { buildSite } = await import('./site.ts');
  return buildSite(document() as Parameters<typeof buildSite>[0]);
}

const notFoundPage = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Not found · Parley help</title><link rel="icon" href="data:,"></head>
  <body><h1>There is no such page</h1><p>Look for it from the front page of the help, <code>/help/</code>.</p></body>
</html>
`;
