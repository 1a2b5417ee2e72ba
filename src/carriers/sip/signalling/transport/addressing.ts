// Our own address as each peer reaches it, for Via and Contact, and the addresses of peers.

import { type Guard, isPublicAddress, makeAddresses } from '../../../../platform/outbound/guard.ts';
import { steadyMs } from '../../../../platform/time/clock.ts';
import { within } from '../../../../platform/time/pause.ts';
import { hostPortText, parseUri } from '../message/uri.ts';
import { defaultPortOf, protocolOf, transportParam } from './routing.ts';
import { localAddressFor } from './udp.ts';
import type { Peer } from './wire.ts';

/** The address by which a peer reaches us. */
export interface LocalAddress {
  address: string;
  /** For Via. */
  hostPort: string;
}

export interface Addressing {
  localFor(peer: Peer): Promise<LocalAddress>;
  contact(local: LocalAddress, peer: Peer): string;
  /** Where a request within a dialog goes; `from` is the source of the last message. */
  resolve(uri: string, from: Peer, isRouted: boolean): Promise<Peer>;
}

const mostRemembered = 1_000;
/** For the address of a name that a peer gave. */
const lookUpMs = 3_000;

/** `guard` says where we may go when a peer names an address, in a Contact or a route. */
export function makeAddressing(
  publicAddress: string,
  ports: { plain: number; tls: number | undefined },
  guard: Guard,
): Addressing {
  const known = new Map<string, Promise<LocalAddress>>();
  // Of its own: what peers name must not push out what is known of trunks.
  const addresses = makeAddresses({ guard, now: steadyMs });

  const find = async ({ address: peer, protocol }: Peer): Promise<LocalAddress> => {
    const address = publicAddress || (await localAddressFor(peer));
    const port = protocol === 'tls' ? (ports.tls ?? defaultPortOf('tls')) : ports.plain;
    return { address, hostPort: hostPortText(address, port) };
  };

  /** undefined: the name does not resolve, or the guard refuses its address. */
  async function firstOf(host: string): Promise<string | undefined> {
    const found = await within(lookUpMs, addresses(host));
    return found?.addresses[0];
  }

  return {
    localFor(peer) {
      const key = `${peer.protocol === 'tls' ? 'tls ' : ''}${peer.address}`;
      const found = known.get(key) ?? find(peer);
      if (known.size >= mostRemembered) known.clear();
      known.set(key, found);
      found.catch(() => known.delete(key));
      return found;
    },
    contact: ({ hostPort }, { protocol }) => `<sip:parley@${hostPort}${transportParam(protocol)}>`,
    async resolve(uri, from, isRouted) {
      const { scheme, host, port, params } = parseUri(uri);
      // What came encrypted goes on so, whatever else a peer writes.
      const protocol = from.protocol === 'tls' ? 'tls' : protocolOf(scheme, params.get('transport'), from.protocol);
      if (host === '') return from;
      // The source of the last message may always be answered. Any other address must pass the guard: a peer must not make us
      // send to hosts inside our network.
      const address = host === from.address ? host : await firstOf(host);
      if (address === undefined) return from;
      // Behind a NAT people write their inside address: only where they really are can be reached.
      if (address !== from.address && !isRouted && !isPublicAddress(address) && isPublicAddress(from.address))
        return from;
      const isSame = address === from.address && protocol === from.protocol;
      const there = { protocol, address, port: port ?? defaultPortOf(protocol) };
      if (isSame) return { ...from, ...there };
      const { ca = '', isVerified = true } = from.expected ?? {};
      return protocol === 'tls' ? { ...there, expected: { name: host, ca, isVerified } } : there;
    },
  };
}
