import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { serveConsole } from './serve.ts';

const page = `<base href="__BASE__"><meta property="csp-nonce" nonce="__NONCE__"><link href="./assets/a-1.css" nonce="__NONCE__">`;
const script = 'export const answer = 42;';

let directory: string;
let empty: string;
before(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'parley-console-'));
  empty = await mkdtemp(path.join(os.tmpdir(), 'parley-console-'));
  await mkdir(path.join(directory, 'assets'));
  await writeFile(path.join(directory, 'index.html'), page);
  await writeFile(path.join(directory, 'secret.txt'), 'not for browsers');
  await writeFile(path.join(directory, 'assets', 'a-1.js'), script);
  await writeFile(path.join(directory, 'assets', 'a-1.js.gz'), gzipSync(script));
  await writeFile(path.join(directory, 'assets', 'a-1.css'), 'a {}');
});
after(() => Promise.all([directory, empty].map((folder) => rm(folder, { recursive: true, force: true }))));

/** A server like ours, as far as addresses go, with nothing but the console. */
async function withConsole(
  options: { directory?: string; publicUrl?: string },
  act: (app: FastifyInstance) => Promise<void>,
) {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
  serveConsole(app, { directory, publicUrl: '', ...options });
  try {
    await act(app);
  } finally {
    await app.close();
  }
}

describe('The page of the console', () => {
  it('answers every address below /console/ that is no file', () =>
    withConsole({}, async (app) => {
      for (const url of ['/console/', '/console/messages', '/console/phone/%2B447700900001?text=hi%20there']) {
        const answer = await app.inject(url);
        assert.equal(answer.statusCode, 200, url);
        assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
        assert.equal(answer.headers['cache-control'], 'no-cache');
        assert.match(answer.body, /<base href="\/console\/">/);
      }
      assert.equal((await app.inject({ method: 'HEAD', url: '/console/' })).statusCode, 200);
    }));

  it('is found without the slash, too, and behind a path', async () => {
    await withConsole({}, async (app) => {
      for (const url of ['/console', '/']) {
        const answer = await app.inject(url);
        assert.deepEqual([answer.statusCode, answer.headers.location], [302, '/console/'], url);
      }
    });
    await withConsole({ publicUrl: 'https://example.com/par&ley/' }, async (app) => {
      assert.equal((await app.inject('/console')).headers.location, '/par&ley/console/');
      assert.match((await app.inject('/console/')).body, /<base href="\/par&amp;ley\/console\/">/);
    });
  });

  it('allows nothing from elsewhere, and styles only with the nonce of this very answer', () =>
    withConsole({}, async (app) => {
      const nonces = new Set<string>();
      for (let round = 0; round < 2; round++) {
        const { headers, body } = await app.inject('/console/');
        const policy = String(headers['content-security-policy']);
        const nonce = /style-src 'self' 'nonce-([\w-]{20,})'/.exec(policy)?.[1];
        assert.ok(nonce);
        nonces.add(nonce);
        assert.equal(body.split(`nonce="${nonce}"`).length, 3);
        assert.match(policy, /^default-src 'none'; script-src 'self';/);
        assert.match(policy, /frame-ancestors 'none'/);
        assert.doesNotMatch(policy, /unsafe|\*|https?:/);
        assert.equal(headers['x-content-type-options'], 'nosniff');
        assert.equal(headers['referrer-policy'], 'same-origin');
        assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
      }
      assert.equal(nonces.size, 2);
    }));

  it('says how to build it when it is not built, and is there as soon as it is', () =>
    withConsole({ directory: empty }, async (app) => {
      const answer = await app.inject('/console/messages');
      assert.equal(answer.statusCode, 503);
      assert.match(answer.body, /npm run console/);
      await mkdir(path.join(empty, 'assets'));
      await writeFile(path.join(empty, 'index.html'), page);
      await writeFile(path.join(empty, 'assets', 'b-2.js'), script);
      assert.equal((await app.inject('/console/messages')).statusCode, 200);
      assert.equal((await app.inject('/console/assets/b-2.js')).body, script);
    }));
});

describe('The files of the console', () => {
  it('are kept for ever, as their names change with their content', () =>
    withConsole({}, async (app) => {
      const { statusCode, headers, body } = await app.inject('/console/assets/a-1.js');
      assert.deepEqual([statusCode, body], [200, script]);
      assert.match(String(headers['content-type']), /^(text|application)\/javascript/);
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      const again = await app.inject({
        url: '/console/assets/a-1.js',
        headers: { 'if-none-match': String(headers.etag) },
      });
      assert.equal(again.statusCode, 304);
      assert.match(String((await app.inject('/console/assets/a-1.css')).headers['content-type']), /^text\/css/);
    }));

  it('come compressed to those who take it', () =>
    withConsole({}, async (app) => {
      const headers = { 'accept-encoding': 'gzip, br' };
      const answer = await app.inject({ url: '/console/assets/a-1.js', headers });
      assert.equal(answer.headers['content-encoding'], 'gzip');
      assert.equal(gunzipSync(answer.rawPayload).toString(), script);
      assert.match(String(answer.headers['content-type']), /javascript/);
    }));

  it('are those of the build and no others', () =>
    withConsole({}, async (app) => {
      for (const name of ['nope.js', '', '../secret.txt', '..%2fsecret.txt', '%2e%2e/secret.txt', 'a-1.js/x', '%00']) {
        const answer = await app.inject(`/console/assets/${name}`);
        assert.doesNotMatch(answer.body, /not for browsers/, name);
        // Where `..` leads out of the files, the page answers.
        if (!String(answer.headers['content-type']).startsWith('text/html'))
          assert.ok([400, 403, 404].includes(answer.statusCode), name);
      }
    }));
});
