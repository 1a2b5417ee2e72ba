// Servers that do what no server should, each over a real socket.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

type Behaviour = (socket: Socket) => void;

export interface HostileServer {
  /** `http://127.0.0.1:…` */
  url: string;
  port: number;
  /** Connections that are open now. */
  open: ReadonlySet<Socket>;
  /** How many there were. */
  connections(): number;
  close(): Promise<void>;
}

const head = (...lines: string[]): string => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');

/** Writes for as long as the other side takes it. */
function flood(socket: Socket, piece: string | Buffer): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', more);
  more();
}

function trickle(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 10);
  socket.on('close', () => clearInterval(timer));
}

export const behaviours: Record<string, Behaviour> = {
  'answers 101': (socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: chaos\r\nConnection: Upgrade\r\n\r\n'),
  'answers 101 to no upgrade': (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  'answers 101 and closes': (socket) =>
    socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: chaos\r\nConnection: Upgrade\r\n\r\n'),
  'answers 100 for ever': (socket) => flood(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(50)),
  'answers 103 for ever': (socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(50)),
  'never answers': () => {},
  'sends half a status line': (socket) => socket.write('HTTP/1.1 2'),
  'sends half of its headers': (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/pl'),
  'trickles its headers': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    trickle(socket, 'x: y\r\n');
  },
  'trickles its body': (socket) => {
    socket.write(head('content-length: 10000000'));
    trickle(socket, 'x');
  },
  'sends a body without an end': (socket) => {
    socket.write(head('content-type: application/json'));
    flood(socket, Buffer.alloc(64 * 1024, 'x'));
  },
  'sends chunks without an end': (socket) => {
    socket.write(head('transfer-encoding: chunked'));
    flood(socket, `10000\r\n${'x'.repeat(0x10000)}\r\n`);
  },
  'resets within the headers': async (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-');
    await sleep(10);
    socket.resetAndDestroy();
  },
  'resets within the body': async (socket) => {
    socket.write(`${head('content-length: 1000')}some`);
    await sleep(10);
    socket.resetAndDestroy();
  },
  'closes without an answer': (socket) => socket.end(),
  'resets without an answer': (socket) => socket.resetAndDestroy(),
  'sends garbage': (socket) => socket.write(Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7) % 256))),
  'sends a header without an end': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx: ');
    flood(socket, 'y'.repeat(64 * 1024));
  },
  'sends headers without number': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    flood(socket, 'x: y\r\n'.repeat(1000));
  },
  'says more than it sends': (socket) => socket.end(`${head('content-length: 1000')}short`),
  'says less than it sends': (socket) => socket.end(`${head('content-length: 2')}{}and more`),
  'says two lengths': (socket) => socket.end(`${head('content-length: 2', 'content-length: 3')}{}}`),
  'says a negative length': (socket) => socket.end(`${head('content-length: -1')}{}`),
  'sends a chunk of no size': (socket) => socket.write(`${head('transfer-encoding: chunked')}zz\r\n{}\r\n`),
  'sends a chunk larger than any': (socket) =>
    socket.write(`${head('transfer-encoding: chunked')}ffffffffffffffffff\r\n{}`),
  'sends a bomb of gzip': (socket) => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
    socket.write(head('content-encoding: gzip', `content-length: ${bomb.length}`));
    socket.end(bomb);
  },
};

export async function startHostileServer(behave: Behaviour): Promise<HostileServer> {
  const open = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => {});
    socket.once('data', () => behave(socket));
    // What else comes is read, too: only then is it seen that the other side has closed.
    socket.on('data', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    open,
    connections: () => connections,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
