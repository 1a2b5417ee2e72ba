// Whatever the other side of a connection does, what we asked it for comes to an end.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { makeAri } from '../../src/carriers/asterisk/ari/ari.ts';
import { keepConnected } from '../../src/carriers/asterisk/ari/connection.ts';
import { makeGraph } from '../../src/carriers/cloud-api/graph/client.ts';
import { makeOutbound } from '../../src/platform/outbound/client.ts';
import { makeGuard } from '../../src/platform/outbound/guard.ts';
import { acceptWebSocket } from '../kit/asterisk/websocket.ts';
import { startProgram } from '../kit/program/program.ts';
import { until } from '../kit/until.ts';
import { startReceiver } from '../kit/webhooks/receiver.ts';
import { behaviours, type HostileServer, startHostileServer } from './hostile-servers.ts';

const limitMs = 1_000;
const sender = { accountId: 'a', uuid: 'b', number: '+447700900000', settings: { access_token: 'token' } };
const noLog = pino({ level: 'silent' });

let directory: string;
before(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'parley-hostile-'));
});
after(() => rm(directory, { recursive: true, force: true }));

interface Client {
  /** How it is told to end. */
  close(): unknown;
  ask(url: string): Promise<unknown>;
}

/** Everything that speaks HTTP to others. */
const clients: Record<string, () => Client> = {
  'webhooks and callbacks'() {
    const outbound = makeOutbound({ guard: makeGuard(['127.0.0.1']) });
    const ask = (url: string) => outbound.post({ url, headers: {}, body: '{}', timeoutMs: limitMs, mostBytes: 1024 });
    return { ask, close: () => outbound.close() };
  },
  'the chat platform'() {
    const graphs: ReturnType<typeof makeGraph>[] = [];
    const ask = (url: string) => {
      const graph = makeGraph({ url, version: 'v1', timeoutMs: limitMs, log: noLog });
      graphs.push(graph);
      return graph.call(sender, { method: 'GET', path: 'x' });
    };
    return { ask, close: () => Promise.all(graphs.map((graph) => graph.close())) };
  },
  'files of the chat platform'() {
    const graph = makeGraph({ url: 'http://127.0.0.1:9', version: 'v1', timeoutMs: limitMs, log: noLog });
    const ask = async (url: string) => {
      const { bytes } = await graph.download(sender, url, limitMs);
      for await (const _chunk of bytes);
    };
    return { ask, close: () => graph.close() };
  },
  Asterisk() {
    const aris: ReturnType<typeof makeAri>[] = [];
    const ask = (url: string) => {
      const ari = makeAri({ url, user: 'u', password: 'p' });
      aris.push(ari);
      return ari.ask('GET', ['x'], { limitMs });
    };
    return { ask, close: () => Promise.all(aris.map((ari) => ari.close())) };
  },
  'files of Asterisk'() {
    const aris: ReturnType<typeof makeAri>[] = [];
    const ask = (url: string) => {
      const ari = makeAri({ url, user: 'u', password: 'p' });
      aris.push(ari);
      return ari.download(['x'], path.join(directory, `file-${aris.length}`), limitMs);
    };
    return { ask, close: () => Promise.all(aris.map((ari) => ari.close())) };
  },
  'events of Asterisk'() {
    const ask = async (url: string) => {
      let tell = (_reason: string): void => {};
      const refused = new Promise<string>((resolve) => {
        tell = resolve;
      });
      const connection = keepConnected({
        address: `${url.replace('http', 'ws')}/ari/events`,
        timing: { firstWaitMs: 60_000, longestWaitMs: 60_000, checkMs: 60_000 },
        connectMs: limitMs,
        check: async () => {},
        explain: async () => 'refused',
        onOpen() {},
        onText() {},
        onBroken: tell,
        onRefused: tell,
      });
      await refused;
      await connection.stop();
    };
    return { ask, close() {} };
  },
};

for (const [name, make] of Object.entries(clients)) {
  describe(`${name} › a server that`, { concurrency: 4, timeout: 1_800_000 }, () => {
    const client = make();
    for (const [title, behave] of Object.entries(behaviours)) {
      it(title, async (t) => {
        const server = await startHostileServer(behave);
        t.after(() => server.close());
        await endsAt(client, server);
        if (name === 'webhooks and callbacks' || name === 'events of Asterisk') await isLeftAlone(server);
      });
    }

    it('takes a connection and never speaks TLS', async (t) => {
      const server = await startHostileServer(() => {});
      t.after(() => server.close());
      await endsAt(client, server, 'https');
    });
    after(() => client.close());
  });
}

/** How it ends is the client's business; that it does is ours. On a busy machine its time may be over before it is connected. */
async function endsAt(client: Client, server: HostileServer, scheme = 'http'): Promise<void> {
  while (server.connections() === 0) await client.ask(server.url.replace('http', scheme)).catch(() => {});
}

/** No connection of ours is left there. */
async function isLeftAlone(server: HostileServer): Promise<void> {
  await until(
    () => server.open.size,
    (count) => count === 0,
  );
}

describe('webhooks and callbacks', { timeout: 1_800_000 }, () => {
  it('101 is an answer like any other that is no 2xx, also on a connection that was kept', async (t) => {
    const switching = '101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello';
    const server = await startHostileServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
      socket.on('data', () => socket.write(`HTTP/1.1 ${switching}`));
    });
    t.after(() => server.close());
    const outbound = makeOutbound({ guard: makeGuard(['127.0.0.1']) });
    t.after(() => outbound.close());
    const request = { url: server.url, headers: {}, body: '{}', timeoutMs: 50_000, mostBytes: 1024 };
    assert.equal((await outbound.post(request)).status, 200);
    assert.equal((await outbound.post(request)).status, 101);
    assert.equal(server.connections(), 1);
    await isLeftAlone(server);
  });
});

describe('memory', { timeout: 1_800_000 }, () => {
  const endless = behaviours['sends chunks without an end']!;

  it('an answer of the chat platform, or of Asterisk, that never ends is broken off long before its time is over', async () => {
    const server = await startHostileServer(endless);
    const graph = makeGraph({ url: server.url, version: 'v1', timeoutMs: 100_000, log: noLog });
    await assert.rejects(graph.call(sender, { method: 'GET', path: 'x' }), /too large/);
    await graph.close();
    const ari = makeAri({ url: server.url, user: 'u', password: 'p' });
    await assert.rejects(ari.ask('GET', ['x'], { limitMs: 100_000 }), /more than can be taken/);
    await ari.close();
    await server.close();
  });
});

describe('events of Asterisk', { timeout: 1_800_000 }, () => {
  it('a connection that the other side never closes is closed', async () => {
    const asterisk = createServer();
    const sockets = new Set<Duplex>();
    asterisk.on('upgrade', (request, socket) => {
      sockets.add(socket);
      // It shakes hands, and hears nothing from then on, not even a goodbye.
      acceptWebSocket(request, socket, () => sockets.delete(socket));
      socket.removeAllListeners('data').resume();
      socket.on('end', () => socket.end());
    });
    await new Promise<void>((resolve) => asterisk.listen(0, '127.0.0.1', resolve));
    const { port } = asterisk.address() as AddressInfo;
    let isUp = (): void => {};
    const up = new Promise<void>((resolve) => {
      isUp = resolve;
    });
    const connection = keepConnected({
      address: `ws://127.0.0.1:${port}/ari/events`,
      timing: { firstWaitMs: 60_000, longestWaitMs: 60_000, checkMs: 60_000 },
      check: async () => {},
      explain: async () => '',
      onOpen: isUp,
      onText() {},
      onBroken() {},
      onRefused() {},
    });
    await up;
    connection.drop('Enough.');
    await until(
      () => sockets.size,
      (count) => count === 0,
    );
    await connection.stop();
    asterisk.close();
  });
});

const isLinux = { skip: process.platform === 'linux' ? false : 'signals', timeout: 1_800_000 };
describe('forty receivers that answer 101, and ten that never answer', isLinux, () => {
  const undo: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const step of undo.reverse()) await step();
  });

  it('keep no other receiver waiting, and the process ends when it is told to', async () => {
    const program = await startProgram({ WEBHOOK_ALLOW: '127.0.0.0/8' });
    undo.push(() => program.stop());
    const post = async (place: string, body: object) => {
      const answer = await program.call('POST', place, body);
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
    };
    const send = (callback_url?: string) =>
      post('/v2/chatapp/messages/', {
        chatapp_number: '+447700900001',
        to_chatapp_number: '+447700900123',
        type: 'TEMPLATE',
        template: { template_name: 'welcome' },
        ...(callback_url && { callback_url }),
      });

    const switching = await startHostileServer(behaviours['answers 101']!);
    const silent = await startHostileServer(() => {});
    const [receiver, called] = [await startReceiver(), await startReceiver()];
    undo.push(
      () => switching.close(),
      () => silent.close(),
      () => receiver.close(),
      () => called.close(),
    );
    for (let count = 0; count < 40; count++) await post('/v2/chatapp/webhooks/', { url: `${switching.url}/${count}` });
    for (let count = 0; count < 10; count++) await send(`${switching.url}/callback-${count}`);
    await until(
      () => switching.connections(),
      (count) => count >= 50,
    );
    await post('/v2/chatapp/webhooks/', { url: receiver.url });
    await send(called.url);
    await until(
      () => [receiver.received.length, called.received.length],
      ([events, callbacks]) => events! > 0 && callbacks! > 0,
    );

    for (let count = 0; count < 10; count++) await post('/v2/chatapp/webhooks/', { url: `${silent.url}/${count}` });
    await send();
    await until(
      () => silent.open.size,
      (count) => count > 0,
    );
    program.parley.signal('SIGTERM');
    assert.equal(await program.parley.ended, 0, program.parley.output());
  });
});
