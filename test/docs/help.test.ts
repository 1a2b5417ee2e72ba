import assert from 'node:assert/strict';
import { glob } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { apiDocument } from '../../src/app.ts';
import { buildSite, type Site } from '../../src/help/site.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';

const root = path.join(import.meta.dirname, '..', '..');
let site: Site;
before(async () => {
  site = await buildSite(apiDocument() as Parameters<typeof buildSite>[0]);
});

describe('The help', () => {
  it('has every document once', async () => {
    const files = await Array.fromAsync(glob('docs/**/*.md', { cwd: root }));
    const expected = files.map((file) =>
      `${file.slice('docs/'.length, -'.md'.length)}/`.replace(/(^|\/)README\/$/, '$1'),
    );
    const made = [...site.pages.keys()].filter((address) => !/^(tutorials|reference)\//.test(address));
    assert.deepEqual(made.toSorted(), expected.toSorted());
  });

  it('has every operation of the API, and every tutorial', async () => {
    const { paths } = apiDocument() as { paths: object };
    const reference = [...site.pages].filter(([address]) => address.startsWith('reference/')).map(([, html]) => html);
    for (const place of Object.keys(paths))
      assert.ok(
        reference.some((html) => html.includes(` ${place}</code>`)),
        place,
      );
    const scripts = await Array.fromAsync(glob('examples/*.sh', { cwd: root }));
    assert.equal([...site.pages.keys()].filter((address) => address.startsWith('tutorials/')).length, scripts.length);
    assert.match(site.pages.get('tutorials/intro/')!, /<h1 id="[^"]+">A chat intro from the link to the meeting<\/h1>/);
  });

  it('links to pages and headings that are there, and loads nothing from elsewhere', async () => {
    const anchors = new Map(
      [...site.pages].map(([address, html]) => [
        address,
        new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)),
      ]),
    );
    const images = new Set(await Array.fromAsync(glob('images/**/*', { cwd: path.join(root, 'docs') })));
    const assets = new Set(['help.css', 'help.js']);
    const broken: string[] = [];
    let count = 0;
    for (const [address, html] of site.pages) {
      for (const [, attribute, target] of html.matchAll(/<[^>]* (href|src)="([^"]*)"/g)) {
        if (target!.startsWith('data:') || (attribute === 'href' && /^(https?|mailto):/.test(target!))) continue;
        const { pathname, hash, host } = new URL(target!, `http://help/${address}`);
        const place = decodeURIComponent(pathname.slice(1));
        const anchor = decodeURIComponent(hash.slice(1));
        const isThere =
          host === 'help' &&
          (anchors.has(place)
            ? anchor === '' || anchors.get(place)!.has(anchor)
            : assets.has(place) || images.has(place));
        count += 1;
        if (!isThere) broken.push(`${address}: ${target}`);
      }
    }
    assert.deepEqual(broken, []);
    assert.ok(count > 5000, `${count} links`);
  });

  it('can be searched by heading and by text', () => {
    const entries: string[][] = JSON.parse(site.search);
    const [address, , heading, anchor] = entries.find(([, , , , text]) => text?.includes('unaccounted')) ?? [];
    assert.ok(address !== undefined && heading && anchor !== undefined);
    assert.ok(entries.every((entry) => entry.length === 5 && !/<[a-z]/.test(entry[2]!)));
  });
});

describe('/help/', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());
  const get = (url: string, headers: Record<string, string> = {}) =>
    app.call('GET', url, undefined, { token: null, headers });

  it('shows pages to everybody, and again only when they changed', async () => {
    const { status, headers, body } = await get('/help/');
    assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8']);
    assert.match(body, /<h1 id="parley-help">Parley help<\/h1>/);
    assert.match(
      String(headers['content-security-policy']),
      /^default-src 'none'; script-src 'self'; style-src 'self'/,
    );
    assert.equal((await get('/help/', { 'if-none-match': String(headers['etag']) })).status, 304);
    assert.match((await get('/help/decisions/0026-one-outbox/')).body, /<h1 /);
  });

  it('an address without the slash leads to the one with it', async () => {
    for (const [url, to] of [
      ['/help', './help/'],
      ['/help/messages', './messages/'],
      // Without the dot this would be another server.
      ['/help/https:example.com', './https:example.com/'],
    ] as const) {
      const answer = await get(url);
      assert.deepEqual([answer.status, answer.headers['location']], [302, to]);
    }
  });

  it('comes compressed to those who take it', async () => {
    for (const [way, open] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { headers, rawPayload } = await app.app.inject({
        url: '/help/search.json',
        headers: { 'accept-encoding': way },
      });
      assert.equal(headers['content-encoding'], way);
      assert.equal(String(open(rawPayload)), site.search);
    }
  });

  it('has its style, script, search and pictures', async () => {
    const types = await Promise.all(
      ['help.css', 'help.js', 'search.json', 'images/overview.png'].map(
        async (name) => (await get(`/help/${name}`)).headers['content-type'],
      ),
    );
    assert.deepEqual(
      types.map((type) => String(type).split(';')[0]),
      ['text/css', 'text/javascript', 'application/json', 'image/png'],
    );
  });

  it('is 404 for what is no page', async () => {
    for (const url of ['/help/nowhere/', '/help/..%2f..%2fpackage.json/', '/help/images/..%2f..%2fpackage.json']) {
      assert.equal((await get(url)).status, 404, url);
    }
  });
});
