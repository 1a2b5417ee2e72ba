import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';

const scriptUrl = '/docs/scalar.js';

/** Everything that would make the reference talk to anyone but this server is off. */
const configuration = {
  url: '/openapi.json',
  proxyUrl: '',
  telemetry: false,
  withDefaultFonts: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: 'Bearer' },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  metaData: { title: 'Parley API' },
};

/** What the settings promise, the browser enforces. Scalar styles its elements one by one, hence the inline styles. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Parley API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="api-reference" data-configuration="${JSON.stringify(configuration).replaceAll('"', '&quot;')}"></div>
    <script src="${scriptUrl}"></script>
  </body>
</html>
`;

/** Serves the OpenAPI document at `/openapi.json` and the interactive reference of it at `/docs`; both are made when first asked for. */
export function serveDocs(app: FastifyInstance, document: () => object): void {
  let json: { text: string; etag: string } | undefined;
  app.get('/openapi.json', (request, reply) => {
    json ??= withEtag(JSON.stringify(document()));
    reply.headers({ etag: json.etag, 'cache-control': 'no-cache' });
    if (request.headers['if-none-match'] === json.etag) return reply.code(304).send();
    return reply.type('application/json').send(json.text);
  });

  app.get('/docs', (_, reply) => {
    reply.headers({ 'content-security-policy': contentSecurityPolicy, 'referrer-policy': 'no-referrer' });
    return reply.type('text/html; charset=utf-8').send(page);
  });

  let script: Promise<Buffer> | undefined;
  app.get(scriptUrl, async (_, reply) => {
    script ??= readScript();
    // Every browser takes gzip, which makes 1.3 MB of 4.4.
    reply.headers({ 'content-encoding': 'gzip', 'cache-control': 'public, max-age=86400' });
    return reply.type('text/javascript; charset=utf-8').send(await script);
  });
}

const withEtag = (text: string) => ({ text, etag: `"${hash('sha256', text, 'base64url')}"` });

/**
 * Scalar's script, compressed. The plugin that brings it takes 200 to 300 ms and 40 MB to load, so that waits for the first reader;
 * and as a plugin adds routes at start only, it gets a small server of its own, which is asked once.
 */
async function readScript(): Promise<Buffer> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const server = Fastify();
  await server.register(reference, { routePrefix: '/docs', configuration: { url: configuration.url } });
  const { rawPayload } = await server.inject('/docs/js/scalar.js');
  await server.close();
  return promisify(gzip)(rawPayload);
}
