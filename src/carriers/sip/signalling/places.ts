// Where we are, as each peer sees it, and where peers are.
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from '../../../platform/outbound/guard.ts';
import { defaultPort } from './routing.ts';
import { hostPortText, parseUri } from './uri.ts';
import type { Peer } from './wire.ts';
import { localAddressFor } from './wire-udp.ts';

/** Our side of a conversation. */
export interface Place {
  address: string;
  /** For Via. */
  hostPort: string;
}

export interface Places {
  towards(peer: Peer): Promise<Place>;
  contact(place: Place, peer: Peer): string;
  /** Where a request within a dialog goes; `from` is whom the last message came from. */
  resolve(uri: string, from: Peer, isRouted: boolean): Promise<Peer>;
}

const mostRemembered = 1_000;

export function makePlaces(publicAddress: string, port: number): Places {
  const known = new Map<string, Promise<Place>>();

  const find = async (peer: string): Promise<Place> => {
    const address = publicAddress || (await localAddressFor(peer));
    return { address, hostPort: hostPortText(address, port) };
  };

  return {
    towards({ address }) {
      const found = known.get(address) ?? find(address);
      if (known.size >= mostRemembered) known.clear();
      known.set(address, found);
      found.catch(() => known.delete(address));
      return found;
    },
    contact: ({ hostPort }, { protocol }) => `<sip:parley@${hostPort}${protocol === 'tcp' ? ';transport=tcp' : ''}>`,
    async resolve(uri, from, isRouted) {
      const { host, port, params } = parseUri(uri);
      const protocol = params.get('transport')?.toLowerCase() === 'tcp' ? 'tcp' : from.protocol;
      if (host === '') return from;
      const address = isIP(host) ? host : (await lookup(host)).address;
      // Behind a NAT people write their inside address: only where they really are can be reached. An inside address is
      // nothing to go to for one who is outside, either.
      if (address !== from.address && !isRouted && !isPublicAddress(address) && isPublicAddress(from.address))
        return from;
      const isSame = address === from.address && protocol === from.protocol;
      return { ...(isSame ? from : {}), protocol, address, port: port ?? defaultPort };
    },
  };
}
