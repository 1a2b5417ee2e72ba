import dgram from 'node:dgram';
import { once } from 'node:events';
import { isIP, isIPv4, isIPv6 } from 'node:net';
import type { Wire, WireOptions } from './wire.ts';

/** A burst of calls must not overflow while the process is busy for a moment. */
const bufferOctets = 4 * 1024 * 1024;

export async function makeUdp({ host, port, onOctets }: WireOptions): Promise<Wire> {
  const isSix = isIPv6(host);
  const socket = dgram.createSocket({ type: isSix ? 'udp6' : 'udp4', lookup: noLookup });
  // It listens, or fails, before `bind` returns.
  const listening = once(socket, 'listening');
  socket.bind({ port, address: host, exclusive: true });
  await listening;
  // A peer whose port is closed must not end the process.
  socket.on('error', () => {});
  socket.setRecvBufferSize(bufferOctets);
  socket.on('message', (octets, { address, port }) => {
    // Four octets or fewer are a keep-alive (RFC 5626, and what phones send).
    if (octets.length > 4 && port > 0) onOctets(octets, { protocol: 'udp', address: plainAddress(address), port });
  });
  return {
    port: socket.address().port,
    send: (octets, to) =>
      new Promise((resolve, reject) => {
        try {
          socket.send(octets, to.port, isSix && isIPv4(to.address) ? `::ffff:${to.address}` : to.address, (error) =>
            error ? reject(error) : resolve(),
          );
        } catch (error) {
          reject(error as Error);
        }
      }),
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** A socket for both families writes an IPv4 address as an IPv6 one. */
export const plainAddress = (address: string): string =>
  address.startsWith('::ffff:') && isIPv4(address.slice(7)) ? address.slice(7) : address;

/** The address by which a peer reaches us: that of the interface that packets to it leave by. Nothing is sent. */
export async function localAddressFor(peer: string): Promise<string> {
  const socket = dgram.createSocket(isIPv6(peer) ? 'udp6' : 'udp4');
  try {
    socket.connect(9, peer);
    await once(socket, 'connect');
    return socket.address().address;
  } finally {
    socket.close();
  }
}

type Done = (error: Error | null, address: string, family: number) => void;

/** For sockets: without a look into the DNS, which would put every packet off for a turn of the loop. */
export const noLookup = (host: string, _: unknown, done: Done): void => {
  const family = isIP(host);
  if (family) done(null, host, family);
  else done(new Error(`"${host}" is not an IP address.`), '', 4);
};
