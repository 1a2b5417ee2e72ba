import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { clientKey } from '../../../../platform/http/wire/client-address.ts';
import { type Framing, makeFraming } from '../message/framing.ts';
import { plainAddress } from './udp.ts';
import type { Peer, Wire, WireOptions } from './wire.ts';

const mostConnections = 2_000;
const mostPerAddress = 100;
/** Longer than peers wait between two keep-alives. */
const idleMs = 10 * 60_000;
/** For the first message of a connection, and for the rest of one that has begun. */
const slowMs = 15_000;
const connectMs = 5_000;
/** Unsent octets of a peer that does not read. */
const mostUnsent = 1024 * 1024;

interface Connection {
  socket: Socket;
  peer: Peer;
  ready: Promise<void>;
}

export async function makeTcp({ host, port, onOctets, onDropped }: WireOptions): Promise<Wire> {
  /** By where they lead, newest last. */
  const connections = new Map<string, Connection>();
  const perAddress = new Map<string, number>();

  const server = net.createServer((socket) => {
    const { remoteAddress = '', remotePort = 0 } = socket;
    const address = plainAddress(remoteAddress);
    const sameAddress = perAddress.get(clientKey(address)) ?? 0;
    if (address === '' || connections.size >= mostConnections || sameAddress >= mostPerAddress) {
      onDropped();
      socket.on('error', () => {});
      return void socket.destroy();
    }
    keep(socket, address, remotePort, Promise.resolve(), slowMs);
  });
  server.listen({ port, host, exclusive: true });
  await once(server, 'listening');
  server.on('error', () => {});

  /** `firstMs`: how long a connection that we accepted has until its first message; one that we opened has no such limit. */
  function keep(socket: Socket, address: string, port: number, ready: Promise<void>, firstMs?: number): Connection {
    const network = clientKey(address);
    const key = keyOf(address, port);
    const connection: Connection = { socket, ready, peer: { protocol: 'tcp', address, port, connection: socket } };
    connections.set(key, connection);
    perAddress.set(network, (perAddress.get(network) ?? 0) + 1);
    read(socket, connection.peer, firstMs);
    socket.setNoDelay(true);
    socket.setTimeout(idleMs, () => socket.destroy());
    socket.on('error', () => {});
    socket.once('close', () => {
      if (connections.get(key) === connection) connections.delete(key);
      const left = (perAddress.get(network) ?? 1) - 1;
      if (left > 0) perAddress.set(network, left);
      else perAddress.delete(network);
    });
    return connection;
  }

  function read(socket: Socket, peer: Peer, firstMs: number | undefined): void {
    const framing: Framing = makeFraming();
    const giveUp = (): void => {
      onDropped();
      socket.destroy();
    };
    let slow = firstMs === undefined ? undefined : setTimeout(giveUp, firstMs);
    socket.on('data', (piece) => {
      try {
        const frames = framing.push(piece);
        // What is whole was in time; the next has its own.
        if (frames.length > 0) {
          clearTimeout(slow);
          slow = undefined;
        }
        for (const frame of frames) {
          if (frame === 'ping') socket.write('\r\n');
          else onOctets(frame, peer);
        }
      } catch {
        giveUp();
      }
      if (framing.pending() > 0) slow ??= setTimeout(giveUp, slowMs);
    });
    socket.once('close', () => clearTimeout(slow));
  }

  function connect(address: string, port: number): Connection {
    // Peers know us by the address that we listen on.
    const isAnywhere = host === '0.0.0.0' || host === '::';
    const socket = net.connect({ host: address, port, ...(!isAnywhere && { localAddress: host }) });
    const ready = once(socket, 'connect', { signal: AbortSignal.timeout(connectMs) }).then(
      () => {},
      (error) => {
        socket.destroy();
        throw error;
      },
    );
    ready.catch(() => {});
    return keep(socket, address, port, ready);
  }

  return {
    port: (server.address() as AddressInfo).port,
    async send(octets, to) {
      const by = to.connection as Socket | undefined;
      const socket = by && !by.destroyed ? by : undefined;
      const open = socket ?? (await opened(to));
      if (open.writableLength > mostUnsent) {
        open.destroy();
        throw new Error('The peer does not read.');
      }
      open.write(octets);
    },
    async close() {
      for (const { socket } of connections.values()) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function opened({ address, port }: Peer): Promise<Socket> {
    const known = connections.get(keyOf(address, port));
    const connection = known && !known.socket.destroyed ? known : connect(address, port);
    await connection.ready;
    return connection.socket;
  }
}

const keyOf = (address: string, port: number): string => `${address} ${port}`;
