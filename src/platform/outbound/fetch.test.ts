import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { makeFetch, makeOutbound } from './client.ts';
import { makeGuard } from './guard.ts';

const undo: (() => unknown)[] = [];
after(() => Promise.all(undo.map((step) => step())));

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  undo.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
function fetchWithin(networks: string[], options = { timeoutMs: 600_000, mostBytes: 1024 }) {
  const outbound = makeOutbound({ guard: makeGuard(networks) });
  undo.push(() => outbound.close());
  return makeFetch(outbound, options);
}

describe('The guarded fetch', () => {
  it('gets and posts, with headers, and answers a Response', async () => {
    const url = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const said = {
          method: request.method,
          mark: request.headers['x-mark'],
          body: Buffer.concat(chunks).toString(),
        };
        response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(said));
      });
    });
    const fetch = fetchWithin(['127.0.0.1']);
    const got = await fetch(url, { headers: { 'x-mark': 'yes' } });
    assert.deepEqual([got.status, await got.json()], [201, { method: 'GET', mark: 'yes', body: '' }]);
    const posted = await fetch(url, { method: 'POST', body: new URLSearchParams({ a: '1' }) });
    assert.equal(((await posted.json()) as { body: string }).body, 'a=1');
    await assert.rejects(fetch(url, { method: 'DELETE' }), /not asked for/);
  });

  it('goes to no private address, and follows no redirect', async () => {
    let asked = 0;
    const url = await serve((_, response) => {
      asked++;
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    });
    await assert.rejects(fetchWithin([])(url, {}), /is not a public address/);
    assert.equal(asked, 0);
    assert.equal((await fetchWithin(['127.0.0.1'])(url, {})).status, 302);
  });

  it('answers without a body where there is none, and gives up in time', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/empty') response.writeHead(204).end();
    });
    assert.equal((await fetchWithin(['127.0.0.1'])(`${url}/empty`, {})).status, 204);
    const hasty = fetchWithin(['127.0.0.1'], { timeoutMs: 100, mostBytes: 10 });
    await assert.rejects(hasty(`${url}/never`, {}), /No answer within 0.1 seconds/);
  });
});
