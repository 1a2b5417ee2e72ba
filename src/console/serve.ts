import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface ConsoleOptions {
  /** Where the built console is. */
  directory?: string;
  /** PUBLIC_URL; a path in it comes before every address. */
  publicUrl: string;
}

const built = path.join(import.meta.dirname, '..', '..', '.console');

/** A page of ours loads nothing from anywhere else, runs no script that is not a file of ours, and is framed by nobody. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * Serves the web console at `/console/`: its files, whose names change with their content, and for every other address the one
 * page that finds its way by itself. Whoever comes to the front door is shown in.
 */
export function serveConsole(app: FastifyInstance, { directory = built, publicUrl }: ConsoleOptions): void {
  const base = `${publicUrl ? new URL(publicUrl).pathname.replace(/\/$/, '') : ''}/console/`;
  app.register(fastifyStatic, {
    root: path.join(directory, 'assets'),
    prefix: '/console/assets/',
    decorateReply: false,
    // It may be built while we run.
    wildcard: true,
    index: false,
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    setHeaders: (reply) => reply.header('x-content-type-options', 'nosniff'),
  });

  const page = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (request.url.split('?')[0] === '/console') return reply.redirect(base, 302);
    const template = await readFile(path.join(directory, 'index.html'), 'utf8').catch(() => null);
    const nonce = randomBytes(16).toString('base64url');
    reply.headers({
      'content-security-policy': policy(nonce),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-cache',
    });
    reply.type('text/html; charset=utf-8');
    if (template === null) return reply.code(503).header('retry-after', '10').send(notBuilt);
    return template.replaceAll('__BASE__', escaped(base)).replaceAll('__NONCE__', nonce);
  };
  app.get('/', (_request, reply) => reply.redirect(base, 302));
  app.get('/console', page);
  app.get('/console/*', page);
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

const notBuilt = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>The console is not built</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <h1>The console is not built</h1>
    <p>Run <code>npm run console</code> beside the server, then reload this page. <code>npm start</code> does it by itself.</p>
  </body>
</html>
`;
