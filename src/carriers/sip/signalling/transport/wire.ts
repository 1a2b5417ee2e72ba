import type { CertificateFiles } from '../../../../platform/tls/certificate-files.ts';
import type { ShownCertificate } from '../../../../platform/tls/shown-certificate.ts';
import { makeTcp } from './tcp.ts';
import { makeUdp } from './udp.ts';

export type Protocol = 'udp' | 'tcp' | 'tls';

/** The far end of a message: its destination or its source. */
export interface Peer {
  protocol: Protocol;
  address: string;
  port: number;
  /** The connection that it came by; answers go back by it while it lasts. */
  connection?: object;
  /** Of `tls`: what the far end has shown of itself; undefined: nothing. It is not checked yet. */
  certificate?(): ShownCertificate | undefined;
  /** Of `tls`: whom we expect where we connect. */
  expected?: Expected;
}

/** What the certificate of a server has to be. */
export interface Expected {
  /** The name or address that it is made out to. */
  name: string;
  /** Authorities besides the public ones, in PEM; '': none. */
  ca: string;
  /** False: any certificate will do. */
  isVerified: boolean;
}

/** Sends and receives octets. */
export interface Wire {
  readonly port: number;
  /** Where TLS is listened for; undefined: nowhere. */
  readonly tlsPort?: number | undefined;
  /** Rejects when it certainly did not leave. */
  send(octets: Buffer, to: Peer): Promise<void>;
  close(): Promise<void>;
}

export type OnOctets = (octets: Buffer, from: Peer) => void;

export interface WireOptions {
  host: string;
  /** 0 takes a free one, the same for both protocols. */
  port: number;
  onOctets: OnOctets;
  /** A stream that cannot be followed, a connection too many: dropped and counted. */
  onDropped(): void;
}

/** How TLS is spoken. */
export interface SecureOptions {
  /** 0 takes a free one. */
  port: number;
  /** Undefined: we connect to others, and nobody to us. */
  certificate: CertificateFiles | undefined;
}

/** Listens on one port for UDP and TCP, and on another for TLS. */
export async function openWire(options: WireOptions & { secure?: SecureOptions | undefined }): Promise<Wire> {
  const open: Wire[] = [];
  const close = async (): Promise<void> => void (await Promise.all(open.map((wire) => wire.close())));
  const opened = async (opening: Promise<Wire>): Promise<Wire> => {
    const wire = await opening;
    open.push(wire);
    return wire;
  };
  try {
    const [udp, tcp] = await onOnePort(options);
    open.push(udp, tcp);
    const secure = options.secure ?? { port: 0, certificate: undefined };
    const tls = await opened(makeTcp({ ...options, port: secure.port }, secure));
    const wires = { udp, tcp, tls };
    return {
      port: udp.port,
      tlsPort: secure.certificate && tls.port,
      send: (octets, to) => wires[to.protocol].send(octets, to),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A port that is free for UDP may be taken for TCP; while we may choose, another one is tried. */
async function onOnePort(options: WireOptions, tries = 20): Promise<[udp: Wire, tcp: Wire]> {
  const udp = await makeUdp(options);
  try {
    return [udp, await makeTcp({ ...options, port: udp.port })];
  } catch (error) {
    await udp.close();
    if (options.port !== 0 || tries === 1 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return onOnePort(options, tries - 1);
  }
}
