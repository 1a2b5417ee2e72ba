import type { RemoteInfo } from 'node:dgram';

/**
 * Where the peer's packets come from. Behind a NAT they come from another port than its SDP names, and ours have to go there
 * (symmetric RTP, RFC 4961). Only addresses that the signalling vouches for are ever listened to, whatever the port ("restricted
 * latching", RFC 7362): anybody can send to a port of ours, but hardly anybody from the peer's own address.
 *
 *   expecting ─ a packet from the place in the SDP ─→ settled
 *   expecting ─ a packet from another port of a signalled address ─→ trying ─ five of them, none from the SDP's place ─→ settled
 *   settled ─ nothing heard for two seconds (`doubt`: a NAT that forgot us) ─→ expecting, the known place as good as the SDP's;
 *             the same stream (SSRC) from another port settles at once, another stream has to try as at first
 */
export interface Latch {
  /** Where ours go; undefined: nowhere until the peer was heard. */
  readonly to: { readonly address: string; readonly port: number } | undefined;
  readonly settled: boolean;
  /** Whether a packet may be the peer's at all, by its address. */
  permits(from: RemoteInfo): boolean;
  /** Whether a packet from there is the peer's; true the first time it makes the latch settle, too. */
  accepts(from: RemoteInfo, ssrc: number): boolean;
  doubt(): void;
}

export interface LatchOptions {
  /** The place in the SDP; undefined: nothing may be sent there. */
  expected: { address: string; port: number } | undefined;
  /** The addresses that its packets may come from, as sockets write them. */
  sources: readonly string[];
}

const triesToSettle = 5;

export function makeLatch({ expected, sources }: LatchOptions): Latch {
  let to = expected;
  let settled = false;
  let tries = 0;
  /** The stream that was settled on. */
  let known: number | undefined;

  const isCurrent = (from: RemoteInfo): boolean => from.port === to?.port && from.address === to.address;
  const isExpected = (from: RemoteInfo): boolean => from.port === expected?.port && from.address === expected.address;
  const permits = ({ address }: RemoteInfo): boolean => sources.includes(address);

  function settle({ address, port }: RemoteInfo, ssrc: number): true {
    to = { address, port };
    settled = true;
    known = ssrc;
    return true;
  }

  return {
    get to() {
      return to;
    },
    get settled() {
      return settled;
    },
    permits,
    accepts(from, ssrc) {
      if (!permits(from)) return false;
      if (settled) {
        if (!isCurrent(from)) return false;
        known = ssrc;
        return true;
      }
      if (isExpected(from)) return settle(from, ssrc);
      if (tries > 0 && !isCurrent(from)) return false;
      // Before the first try, the current place is the expected one, or the one that was settled on and then doubted.
      if (tries === 0 && (isCurrent(from) || ssrc === known)) return settle(from, ssrc);
      to = { address: from.address, port: from.port };
      tries++;
      return tries < triesToSettle || settle(from, ssrc);
    },
    doubt() {
      settled = false;
      tries = 0;
    },
  };
}
