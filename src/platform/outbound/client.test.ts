import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { everyNetwork } from '../networks.ts';
import { makeOutbound } from './client.ts';
import { makeGuard } from './guard.ts';
import type { Resolve } from './resolver.ts';

const undo: (() => unknown)[] = [];
after(() => Promise.all(undo.map((step) => step())));

async function receiver(listener: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  undo.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return { server, port: (server.address() as AddressInfo).port };
}
const outboundWith = (networks: string[], resolve?: Resolve) => {
  const outbound = makeOutbound({ guard: makeGuard(networks, resolve) });
  undo.push(() => outbound.close());
  return outbound;
};
const request = (url: string) => ({
  url,
  headers: { 'x-mark': 'yes' },
  body: '{}',
  timeoutMs: 600_000,
  mostBytes: 1024,
});
const loopback = [{ address: '127.0.0.1', family: 4 }];

describe('The outbound client', () => {
  it('sends the request, with the name as host, to the address that was looked up', async () => {
    const seen: unknown[] = [];
    const { port } = await receiver((request, answer) => {
      seen.push([request.method, request.url, request.headers.host, request.headers['x-mark']]);
      answer.writeHead(202, { 'x-reply': 'here' }).end('taken');
    });
    const outbound = outboundWith(everyNetwork, async () => loopback);
    const answer = await outbound.post(request(`http://shop.example:${port}/hook?a=1`));
    assert.deepEqual([answer.status, answer.text, answer.headers['x-reply']], [202, 'taken', 'here']);
    assert.deepEqual(seen, [['POST', '/hook?a=1', `shop.example:${port}`, 'yes']]);
  });

  it('never connects to a private address, written out or behind a name', async () => {
    let connections = 0;
    const { server, port } = await receiver((_request, answer) => answer.end());
    server.on('connection', () => connections++);
    const outbound = outboundWith([], async () => loopback);
    for (const host of ['127.0.0.1', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', 'inside.example']) {
      await assert.rejects(outbound.post(request(`http://${host}:${port}/`)), /is not a public address/, host);
    }
    await assert.rejects(outbound.post(request(`https://inside.example:${port}/`)), /is not a public address/);
    assert.equal(connections, 0);
  });

  it('resolves a name once per connection: a name that changes after the check changes nothing', async () => {
    let asked = 0;
    const { server, port } = await receiver((_request, answer) => answer.end());
    // Whoever asked a second time, to connect, would be sent to where nobody answers.
    const resolve = async () => (asked++ === 0 ? loopback : [{ address: '127.0.0.99', family: 4 }]);
    const outbound = outboundWith(everyNetwork, resolve);
    const changing = request(`http://changing.example:${port}/`);
    assert.equal((await outbound.post(changing)).status, 200);
    assert.equal(asked, 1);
    server.closeAllConnections();
    await assert.rejects(outbound.post(changing));
    assert.equal(asked, 2, 'a new connection is checked anew');
  });

  it('follows no redirect', async () => {
    let followed = 0;
    const inside = await receiver((_request, answer) => {
      followed++;
      answer.end();
    });
    const { port } = await receiver((_request, answer) =>
      answer.writeHead(307, { location: `http://127.0.0.1:${inside.port}/` }).end(),
    );
    const outbound = outboundWith(everyNetwork);
    assert.equal((await outbound.post(request(`http://127.0.0.1:${port}/`))).status, 307);
    assert.equal(followed, 0);
  });

  it('reads the beginning of an endless answer, and what PostgreSQL can store of it', async () => {
    const { port } = await receiver((_request, answer) => {
      answer.write('a\0b');
      const more = setInterval(() => answer.write('x'.repeat(600)), 1);
      answer.on('close', () => clearInterval(more));
    });
    const outbound = outboundWith(everyNetwork);
    const { text } = await outbound.post(request(`http://127.0.0.1:${port}/`));
    assert.equal(text, `a\uFFFDb${'x'.repeat(1021)}`);
  });

  it('gives up on an endpoint that does not answer, and on one that is not there', async () => {
    const { port } = await receiver(() => {});
    const outbound = outboundWith(everyNetwork);
    const hanging = { ...request(`http://127.0.0.1:${port}/`), timeoutMs: 100 };
    await assert.rejects(outbound.post(hanging), new Error('No answer within 0.1 seconds.'));
    await assert.rejects(outbound.post(request('http://127.0.0.1:1/')), /ECONNREFUSED/);
  });

  it('sends once more when a kept connection turns out to be closed', async () => {
    let served = 0;
    const { server, port } = await receiver((_request, answer) => {
      served++;
      answer.end();
    });
    const outbound = outboundWith(everyNetwork);
    for (let turn = 0; turn < 3; turn++) {
      assert.equal((await outbound.post(request(`http://127.0.0.1:${port}/`))).status, 200);
      server.closeAllConnections();
    }
    assert.equal(served, 3);
  });
});
