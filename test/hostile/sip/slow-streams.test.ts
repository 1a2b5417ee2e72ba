// SIP over TCP: a peer that dawdles, or never ends what it says, is closed; nobody else notices.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { TestApp } from '../../kit/app.ts';
import { until } from '../../kit/until.ts';
import { create, listening, request, startSipApp } from './peer.ts';

const trunk = '127.0.0.2';
const stranger = '127.0.0.3';
/** The most connections that one address may have open. */
const mostPerAddress = 100;

interface Stream {
  socket: net.Socket;
  closed: Promise<unknown>;
  heard(): string;
}

describe('SIP over TCP', { timeout: 1_800_000 }, () => {
  let app: TestApp;
  let port: number;
  const open = new Set<net.Socket>();
  before(async () => {
    app = await startSipApp();
    await create(app, '/v2/sip-trunks/', { name: 'Carrier', host: trunk, port: 5060, transport: 'tcp' });
    port = await listening(app);
  });
  after(async () => {
    for (const socket of open) socket.destroy();
    await app.close();
  });

  async function connect(localAddress: string): Promise<Stream> {
    const socket = net.connect({ host: '127.0.0.1', port, localAddress });
    let heard = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      heard += text;
    });
    socket.on('error', () => {});
    open.add(socket);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await once(socket, 'connect');
    return { socket, closed, heard: () => heard };
  }
  const options = ({ socket }: Stream): string => {
    const { localAddress: address = '', localPort = 0 } = socket;
    const text = request({ address, port: localPort, heard: [], send: async () => {} }, { method: 'OPTIONS' });
    return text.replace('SIP/2.0/UDP', 'SIP/2.0/TCP');
  };
  async function assertAnswered(stream: Stream): Promise<void> {
    const before = stream.heard().length;
    stream.socket.write(options(stream));
    await until('the request is answered', () => /^SIP\/2\.0 \d{3} /m.test(stream.heard().slice(before)));
  }

  it('who says nothing, trickles, or never ends a message is closed; others are answered all the while', async () => {
    const good = await connect(trunk);
    await assertAnswered(good);
    const slow = {
      'says nothing': () => {},
      'begins a message': ({ socket }: Stream) => socket.write('OPTIONS sip:127.0.0.1 SIP/2.0\r\nVia: '),
      'announces a body that never comes': (stream: Stream) =>
        stream.socket.write(options(stream).replace('Content-Length: 0', 'Content-Length: 500')),
      // Each octet is a sign of life, and none of them ends anything.
      trickles: ({ socket }: Stream) => {
        const timer = setInterval(() => socket.write('x'), 250);
        socket.once('close', () => clearInterval(timer));
      },
      'is answered, and trickles then': (stream: Stream) => {
        stream.socket.write(options(stream));
        const timer = setInterval(() => stream.socket.write('x'), 250);
        stream.socket.once('close', () => clearInterval(timer));
      },
    };
    const streams: Stream[] = [];
    for (const behave of Object.values(slow)) {
      const stream = await connect(stranger);
      behave(stream);
      streams.push(stream);
      await assertAnswered(good);
    }
    await Promise.all(streams.map(({ closed }) => closed));
    assert.equal(good.socket.destroyed, false, 'who speaks whole messages stays');
    await assertAnswered(good);
  });

  it('a message in a thousand crumbs, or with a head that does not end, is closed at once', async () => {
    const good = await connect(trunk);
    for (const send of [
      async ({ socket }: Stream) => {
        socket.setNoDelay(true);
        for (let count = 0; count < 5_000 && !socket.destroyed; count++) {
          socket.write('x');
          await new Promise(setImmediate);
        }
      },
      async ({ socket }: Stream) => void socket.write(`OPTIONS sip:127.0.0.1 SIP/2.0\r\n${'x: y\r\n'.repeat(20_000)}`),
    ]) {
      const stream = await connect(stranger);
      await send(stream);
      await stream.closed;
      await assertAnswered(good);
    }
  });

  it("one address can use up its own connections, and nobody else's", async () => {
    const good = await connect(trunk);
    const streams = await Promise.all(Array.from({ length: mostPerAddress + 20 }, () => connect(stranger)));
    await until('the surplus is closed', () => streams.filter(({ socket }) => socket.destroyed).length >= 20);
    await assertAnswered(good);
    await assertAnswered(await connect(trunk));
    const kept = streams.filter(({ socket }) => !socket.destroyed);
    assert.equal(kept.length, mostPerAddress);
    await assertAnswered(kept[0]!);
  });
});
