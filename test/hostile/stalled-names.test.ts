// A name server that never answers holds up nothing but the requests for its own names.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { makeOutbound } from '../../src/platform/outbound/client.ts';
import { makeGuard } from '../../src/platform/outbound/guard.ts';
import { makeResolve } from '../../src/platform/outbound/resolver.ts';

const undo: (() => unknown)[] = [];
after(() => Promise.all(undo.map((step) => step())));

/** Notes what it is asked for, and answers nothing. */
async function startSilentServer() {
  const asked = new Set<string>();
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  socket.on('message', (query) => asked.add(query.subarray(12).toString('latin1')));
  await once(socket, 'listening');
  undo.push(() => socket.close());
  return { asked, server: `127.0.0.1:${socket.address().port}` };
}

describe('a name server that never answers', { timeout: 60_000 }, () => {
  it('holds up neither files nor requests to other hosts, and each request ends with a sentence', async () => {
    const { asked, server } = await startSilentServer();
    const receiver = createServer((_request, answer) => answer.end('here'));
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    undo.push(() => {
      receiver.closeAllConnections();
      receiver.close();
    });
    const { port } = receiver.address() as AddressInfo;
    const resolve = makeResolve({ servers: [server], timeoutMs: 8_000, resolverFile: '/dev/null' });
    const outbound = makeOutbound({ guard: makeGuard(['127.0.0.0/8', '::1'], resolve) });
    undo.push(() => outbound.close());
    const post = (host: string) =>
      outbound.post({ url: `http://${host}:${port}/`, headers: {}, body: '', timeoutMs: 30_000, mostBytes: 100 });

    let ended = 0;
    const stalled = Array.from({ length: 16 }, (_, index) => {
      const count = () => ended++;
      const posted = post(`stalled-${index}.example`);
      posted.then(count, count);
      return posted;
    });
    while (asked.size < 32) await new Promise((resolve) => setTimeout(resolve, 5));

    await readFile(import.meta.filename);
    assert.equal((await post('localhost')).text, 'here');
    assert.equal(ended, 0, 'all of them still wait for an answer');
    for (const one of stalled)
      await assert.rejects(one, /^Error: stalled-\d+\.example could not be looked up in time\.$/);
  });
});
