import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { until } from '../../../../test/kit/until.ts';
import { makeIsProxy, type TrustProxy } from './client-address.ts';
import { makeConnectionGuard, usualLimits } from './connections.ts';

async function serve(t: TestContext, limits: Partial<typeof usualLimits>, trust: TrustProxy = false) {
  const guard = makeConnectionGuard({ ...usualLimits, ...limits }, makeIsProxy(trust), () => 'an-id');
  const server = createServer((request, response) => {
    guard.note(request, response);
    response.end('here');
  });
  guard.attach(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const connect = async (): Promise<net.Socket> => {
    const socket = net.connect(port, '127.0.0.1');
    await once(socket, 'connect');
    t.after(() => socket.destroy());
    return socket;
  };
  /** What a new connection is answered with. */
  const ask = async (): Promise<string> => {
    const socket = await connect();
    socket.end('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    return text(socket);
  };
  const count = (): Promise<number> =>
    new Promise((resolve) => server.getConnections((_error, number) => resolve(number)));
  const settled = (wanted: number) => until(count, (open) => open === wanted);
  return { connect, ask, settled };
}

describe('caps on connections', { timeout: 1_800_000 }, () => {
  it('of one address: 503 beyond it, and again an answer when one has gone', async (t) => {
    const { connect, ask, settled } = await serve(t, { mostPerAddress: 3 });
    const held = [await connect(), await connect(), await connect()];
    await settled(3);
    const refused = await ask();
    assert.match(refused, /^HTTP\/1\.1 503 /);
    assert.match(refused, /\r\nretry-after: 1\r\n/);
    assert.match(refused, /\{"detail":"Too many open connections from this address\.","code":"unavailable"\}$/);
    held[0]!.destroy();
    await settled(2);
    assert.match(await ask(), /here$/);
  });

  it('of all', async (t) => {
    const { connect, ask, settled } = await serve(t, { most: 2 }, true);
    await Promise.all([connect(), connect()]);
    await settled(2);
    assert.match(await ask(), /"The server has too many open connections\."/);
  });

  for (const trust of [true, 1, ['127.0.0.0/8']]) {
    it(`connections of proxies carry everybody's requests and are not those of one client (${trust})`, async (t) => {
      const { connect, ask, settled } = await serve(t, { mostPerAddress: 1 }, trust);
      await Promise.all([connect(), connect(), connect()]);
      await settled(3);
      assert.match(await ask(), /here$/);
    });
  }

  it('of an address that is no proxy, while there are proxies', async (t) => {
    const { connect, ask, settled } = await serve(t, { mostPerAddress: 1 }, ['10.0.0.0/8']);
    await connect();
    await settled(1);
    assert.match(await ask(), /^HTTP\/1\.1 503 /);
  });
});
