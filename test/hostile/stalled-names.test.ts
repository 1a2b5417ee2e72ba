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
import { until } from '../kit/until.ts';

const undo: (() => unknown)[] = [];
after(() => Promise.all(undo.map((step) => step())));

/** Notes what it is asked for, and answers nothing until it is told to. */
async function startSilentServer() {
  const asked = new Map<string, () => void>();
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  socket.on('message', (query, { port, address }) => {
    const noSuchName = Buffer.from(query);
    noSuchName.writeUInt16BE(0x8183, 2);
    asked.set(query.subarray(12).toString('latin1'), () => socket.send(noSuchName, port, address));
  });
  await once(socket, 'listening');
  undo.push(() => socket.close());
  return { asked, server: `127.0.0.1:${socket.address().port}` };
}

describe('a name server that never answers', () => {
  it('holds up neither files nor requests to other hosts, and each request ends with a sentence', async () => {
    const { asked, server } = await startSilentServer();
    const receiver = createServer((_request, answer) => answer.end('here'));
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    undo.push(() => {
      receiver.closeAllConnections();
      receiver.close();
    });
    const { port } = receiver.address() as AddressInfo;
    const lookingUpFor = (timeoutMs: number) => {
      const resolve = makeResolve({ servers: [server], timeoutMs, resolverFile: '/dev/null' });
      const outbound = makeOutbound({ guard: makeGuard(['127.0.0.0/8', '::1'], resolve) });
      undo.push(() => outbound.close());
      return (host: string) =>
        outbound.post({ url: `http://${host}:${port}/`, headers: {}, body: '', timeoutMs: 600_000, mostBytes: 100 });
    };

    const post = lookingUpFor(600_000);
    let ended = 0;
    const stalled = Array.from({ length: 16 }, (_, index) => {
      const count = () => ended++;
      const posted = post(`stalled-${index}.example`);
      posted.then(count, count);
      return posted;
    });
    await until(() => asked.size === 32);

    await readFile(import.meta.filename);
    assert.equal((await post('localhost')).text, 'here');
    assert.equal(ended, 0, 'all of them still wait for an answer');
    for (const answer of asked.values()) answer();
    for (const one of stalled) await assert.rejects(one, /^Error: stalled-\d+\.example has no address\.$/);
    await assert.rejects(lookingUpFor(500)('late.example'), /^Error: late\.example could not be looked up in time\.$/);
  });
});
