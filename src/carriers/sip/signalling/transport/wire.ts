import { makeTcp } from './tcp.ts';
import { makeUdp } from './udp.ts';

export type Protocol = 'udp' | 'tcp';

/** The far end of a message: its destination or its source. */
export interface Peer {
  protocol: Protocol;
  address: string;
  port: number;
  /** The connection that it came by; answers go back by it while it lasts. */
  connection?: object;
}

/** Sends and receives octets. */
export interface Wire {
  readonly port: number;
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

/** Listens on one port for UDP and TCP. */
export async function openWire(options: WireOptions): Promise<Wire> {
  const udp = await makeUdp(options);
  try {
    const tcp = await makeTcp({ ...options, port: udp.port });
    return {
      port: udp.port,
      send: (octets, to) => (to.protocol === 'udp' ? udp : tcp).send(octets, to),
      async close() {
        await Promise.all([udp.close(), tcp.close()]);
      },
    };
  } catch (error) {
    await udp.close();
    throw error;
  }
}
