import type { RemoteInfo } from 'node:dgram';

/**
 * Where the peer's packets come from. Its SDP tells an address, but behind a NAT, or with several interfaces, they come from
 * another one, and ours have to go there (symmetric RTP, RFC 4961).
 *
 *   expecting ─ a packet from the address in the SDP ─→ settled
 *   expecting ─ a packet from elsewhere ─→ trying ─ five of them, and none from the SDP's address ─→ settled
 *   settled ─ nothing heard for two seconds (`doubt`: a NAT that forgot us) ─→ expecting, the known one as good as the SDP's
 *
 * A stranger who is first is so given up as soon as the peer itself is heard.
 */
export interface Latch {
  /** Where ours go. */
  readonly address: string;
  readonly port: number;
  readonly settled: boolean;
  /** Whether a packet from there is the peer's; true the first time it makes the latch settle, too. */
  accepts(from: RemoteInfo): boolean;
  doubt(): void;
}

const triesToSettle = 5;

export function makeLatch(expected: { address: string; port: number }): Latch {
  let { address, port } = expected;
  let settled = false;
  let tries = 0;

  const isCurrent = (from: RemoteInfo): boolean => from.port === port && from.address === address;
  const isExpected = (from: RemoteInfo): boolean => from.port === expected.port && from.address === expected.address;

  function settle(from: RemoteInfo): true {
    ({ address, port } = from);
    settled = true;
    return true;
  }

  return {
    get address() {
      return address;
    },
    get port() {
      return port;
    },
    get settled() {
      return settled;
    },
    accepts(from) {
      if (settled) return isCurrent(from);
      if (isExpected(from)) return settle(from);
      if (tries > 0 && !isCurrent(from)) return false;
      // Before the first try, the current one is the expected one, or the one that was settled on and then doubted.
      if (tries === 0 && isCurrent(from)) return settle(from);
      ({ address, port } = from);
      tries++;
      return tries < triesToSettle || settle(from);
    },
    doubt() {
      settled = false;
      tries = 0;
    },
  };
}
