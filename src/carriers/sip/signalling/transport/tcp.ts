import { constants } from 'node:crypto';
import { once } from 'node:events';
import net, { type AddressInfo, isIP, type Server, type Socket } from 'node:net';
import tls from 'node:tls';
import { clientKey } from '../../../../platform/http/wire/client-address.ts';
import { certificateProblem, type ShownCertificate, shownBy } from '../../../../platform/tls/shown-certificate.ts';
import { type Framing, makeFraming } from '../message/framing.ts';
import { plainAddress } from './udp.ts';
import type { Expected, Peer, SecureOptions, Wire, WireOptions } from './wire.ts';

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

/** Connections over TCP, or with `secure` over TLS. Without a certificate nobody can connect to us by TLS. */
export async function makeTcp({ host, port, onOctets, onDropped }: WireOptions, secure?: SecureOptions): Promise<Wire> {
  const protocol = secure ? 'tls' : 'tcp';
  /** By where they lead, newest last. */
  const connections = new Map<string, Connection>();
  const perAddress = new Map<string, number>();

  const take = (socket: Socket): void => {
    const { remoteAddress = '', remotePort = 0 } = socket;
    const address = plainAddress(remoteAddress);
    if (isTooMuch(address)) {
      onDropped();
      socket.on('error', () => {});
      return void socket.destroy();
    }
    keep(socket, address, remotePort, Promise.resolve(), { firstMs: slowMs });
  };
  const isTooMuch = (address: string): boolean =>
    address === '' ||
    connections.size >= mostConnections ||
    (perAddress.get(clientKey(address)) ?? 0) >= mostPerAddress;
  const server = secure ? listenSecurely(secure, take, isTooMuch, onDropped) : net.createServer(take);
  if (server) {
    server.listen({ port, host, exclusive: true });
    await once(server, 'listening');
    server.on('error', () => {});
  }

  /** `firstMs`: how long a connection that we accepted has until its first message; one that we opened has no such limit. */
  function keep(
    socket: Socket,
    address: string,
    port: number,
    ready: Promise<void>,
    { firstMs, expected }: { firstMs?: number; expected?: Expected | undefined },
  ): Connection {
    const network = clientKey(address);
    const key = keyOf(address, port, expected);
    const certificate = makeCertificate(socket);
    const shown = certificate && { certificate };
    const peer: Peer = { protocol, address, port, connection: socket, ...shown, ...(expected && { expected }) };
    const connection: Connection = { socket, ready, peer };
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

  function connect(address: string, port: number, expected: Expected | undefined): Connection {
    // Peers know us by the address that we listen on.
    const isAnywhere = host === '0.0.0.0' || host === '::';
    const place = { host: address, port, ...(!isAnywhere && { localAddress: host }) };
    const socket = secure ? tls.connect({ ...place, ...termsOf(secure, address, expected) }) : net.connect(place);
    const event = secure ? 'secureConnect' : 'connect';
    const ready = once(socket, event, { signal: AbortSignal.timeout(connectMs) }).then(
      () => {},
      (error) => {
        socket.destroy();
        throw secure ? certificateProblem(error) : error;
      },
    );
    ready.catch(() => {});
    return keep(socket, address, port, ready, { expected });
  }

  return {
    port: server ? (server.address() as AddressInfo).port : 0,
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
      if (server) await new Promise((resolve) => server.close(resolve));
    },
  };

  async function opened({ address, port, expected }: Peer): Promise<Socket> {
    const known = connections.get(keyOf(address, port, expected));
    const connection = known && !known.socket.destroyed ? known : connect(address, port, expected);
    await connection.ready;
    return connection.socket;
  }
}

/** Read once, when somebody asks. */
function makeCertificate(socket: Socket): (() => ShownCertificate | undefined) | undefined {
  if (!(socket instanceof tls.TLSSocket)) return undefined;
  let shown: { certificate: ShownCertificate | undefined } | undefined;
  return () => {
    shown ??= { certificate: shownBy(socket) };
    return shown.certificate;
  };
}

/** A connection whose far end proved to be one name is not taken for another. */
const keyOf = (address: string, port: number, expected: Expected | undefined): string =>
  expected ? `${address} ${port} ${expected.name} ${expected.isVerified} ${expected.ca}` : `${address} ${port}`;

/** How we connect: by name, and with our own certificate for those who ask for it. */
function termsOf(
  { certificate }: SecureOptions,
  address: string,
  expected: Expected | undefined,
): tls.ConnectionOptions {
  const { name = address, ca = '', isVerified = true } = expected ?? {};
  return {
    minVersion: 'TLSv1.2',
    // An address cannot be asked for by name (RFC 6066, 3); the certificate has to name it all the same.
    ...(isIP(name) === 0 && { servername: name }),
    rejectUnauthorized: isVerified,
    checkServerIdentity: (_host, peer) => tls.checkServerIdentity(name, peer),
    ...(ca !== '' && { ca: [...tls.rootCertificates, ca] }),
    ...certificate?.current(),
  };
}

/** undefined: without a certificate nobody can connect. */
function listenSecurely(
  { certificate }: SecureOptions,
  take: (socket: Socket) => void,
  isTooMuch: (address: string) => boolean,
  onDropped: () => void,
): Server | undefined {
  if (!certificate) return undefined;
  // A session that is resumed has no chain of certificates: every connection begins anew.
  const secureOptions = constants.SSL_OP_NO_TICKET;
  const options = () => ({ ...certificate.current(), minVersion: 'TLSv1.2' as const, secureOptions });
  // Who has a certificate shows it; whether a call needs one, the trunk says (`admission.ts`).
  const asking = { requestCert: true, rejectUnauthorized: false };
  const server = tls.createServer({ ...options(), ...asking, handshakeTimeout: slowMs }, take);
  const ignore = certificate.onChange(() => server.setSecureContext(options()));
  server.once('close', ignore);
  server.on('connection', (socket: Socket) => {
    // Before the handshake, which is what costs.
    if (!isTooMuch(plainAddress(socket.remoteAddress ?? ''))) return;
    onDropped();
    socket.destroy();
  });
  server.on('tlsClientError', (_error, socket) => {
    onDropped();
    socket.destroy();
  });
  return server;
}
