import { isIP } from 'node:net';
import { makeNetworks, plainAddress } from '../../networks.ts';

/**
 * Whose X-Forwarded-For is believed: nobody's, everybody's, that of the last so many proxies before this server, or that of proxies
 * in these networks.
 */
export type TrustProxy = boolean | number | readonly string[];

/** Whether an address is a proxy of the operator's; `hop` is 0 for whoever is connected to us, 1 for the one before it. */
export type IsProxy = (address: string, hop: number) => boolean;

export function makeIsProxy(trust: TrustProxy): IsProxy {
  if (typeof trust === 'boolean') return () => trust;
  if (typeof trust === 'number') return (_address, hop) => hop < trust;
  const networks = makeNetworks(trust);
  return (address) => networks.has(address);
}

/**
 * The address of the client: the nearest one that is no proxy of ours. Each proxy appends whom it was called by, so the list is read
 * from its end; what stands before the nearest stranger is that stranger's own invention.
 */
export function clientAddress(connected: string, forwardedFor: string | undefined, isProxy: IsProxy): string {
  if (forwardedFor === undefined || !isProxy(connected, 0)) return connected;
  const hops = forwardedFor.split(',').map((address) => address.trim());
  for (let hop = 1; hops.length > 1; hop++) {
    const address = hops.pop()!;
    if (!isProxy(address, hop)) return address;
  }
  return hops[0] || connected;
}

const longestKey = 64;

/** What clients are counted by: an IPv4 address, or the /64 of an IPv6 one, which is what one subscriber is given at least. */
export function clientKey(address: string): string {
  const plain = plainAddress(address);
  if (isIP(plain) !== 6) return plain.slice(0, longestKey);
  const [head = '', tail] = plain.split('::');
  const groupsOf = (text: string | undefined): string[] => (text ? text.split(':') : []);
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
