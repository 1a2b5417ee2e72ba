import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { serveDocs } from './docs-page.ts';

function makeApp() {
  const app = Fastify();
  serveDocs(app, () => ({ openapi: '3.1.1' }));
  return app;
}

test('/openapi.json › the document, and 304 to a caller that has it', async () => {
  const app = makeApp();
  const first = await app.inject('/openapi.json');
  assert.deepEqual(first.json(), { openapi: '3.1.1' });
  const again = await app.inject({ url: '/openapi.json', headers: { 'if-none-match': String(first.headers.etag) } });
  assert.equal(again.statusCode, 304);
  assert.equal(again.body, '');
});

test('/docs › the page names no other host, and its policy forbids one', async () => {
  const { body, headers } = await makeApp().inject('/docs');
  assert.doesNotMatch(body, /https?:\/\/|src="\/\//);
  assert.match(String(headers['content-security-policy']), /default-src 'none'.*connect-src 'self'/);
  assert.doesNotMatch(String(headers['content-security-policy']), /https?:|\*|unsafe-eval/);
});

test("/docs › the page's script is served by this server", async () => {
  const app = makeApp();
  const { body } = await app.inject('/docs');
  const url = /<script src="([^"]+)"/.exec(body)![1]!;
  const script = await app.inject(url);
  assert.match(String(script.headers['content-type']), /^text\/javascript/);
  assert.match(gunzipSync(script.rawPayload).toString(), /createApiReference/);
});
