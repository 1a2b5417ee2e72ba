import type { LookupAddress } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import { makeNetworks, plainAddress } from '../networks.ts';
import { makeResolve, type Resolve } from './resolver.ts';

/** What an address is refused with, wherever that is noticed. */
export class RefusedAddress extends Error {
  override name = 'RefusedAddress';
  constructor(address: string) {
    super(`${address} is not a public address.`);
  }
}

/** What whoever named a refused address is told: operators can allow networks, each kind of traffic by its own setting. */
export const refusalOf = (setting: 'WEBHOOK_ALLOW' | 'SIP_ALLOW' | 'SMPP_ALLOW' | 'SSO_ALLOW'): string =>
  `This is not a public address. The server's setting ${setting} can allow it.`;

/** IANA special-purpose registry for IPv4 (RFC 6890 and its updates): everything that is not globally reachable. */
const notPublic4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT, RFC 6598
  '127.0.0.0/8',
  '169.254.0.0/16', // link-local, and the clouds' metadata services
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
];

/**
 * Of IPv6 only 2000::/3 is handed out as global unicast: loopback, link-local, unique-local, multicast, IPv4-mapped
 * (::ffff:0:0/96) and NAT64 (64:ff9b::/96) lie outside. These parts of it are special, or have an IPv4 address inside.
 */
const notPublic6 = [
  '2001::/23', // Teredo, benchmarking, ORCHID
  '2001:db8::/32',
  '2002::/16', // 6to4
  '3fff::/20',
];

const listOf = (subnets: string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', bits] = subnet.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
};
const refused4 = listOf(notPublic4, 'ipv4');
const refused6 = listOf(notPublic6, 'ipv6');
const global6 = listOf(['2000::/3'], 'ipv6');

/** Whether an IP address can be reached from anywhere, and so is nobody's inside. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !refused4.check(address, 'ipv4');
    case 6:
      return global6.check(address, 'ipv6') && !refused6.check(address, 'ipv6');
    default:
      return false;
  }
}

/** What may be connected to: public addresses, and the networks that the operator allows besides. */
export interface Guard {
  isAllowed(address: string): boolean;
  /**
   * The addresses of a host, all of them checked; throws `RefusedAddress` when one is not allowed. The caller connects to one
   * of these and does not resolve again: the name may point elsewhere a moment later.
   */
  addressesOf(host: string): Promise<LookupAddress[]>;
}

/** A guard for each thing that connects to where tenants say. */
export interface Guards {
  webhook: Guard;
  sip: Guard;
  smpp: Guard;
  sso: Guard;
}

export function makeGuard(networks: readonly string[], resolve: Resolve = makeResolve()): Guard {
  const allowed = makeNetworks(networks);
  // A mapped address is judged by the IPv4 address inside, which is where a socket goes.
  const isAllowed = (address: string): boolean => isPublicAddress(plainAddress(address)) || allowed.has(address);
  return {
    isAllowed,
    async addressesOf(host) {
      const family = isIP(host);
      const addresses = family === 0 ? await resolve(host) : [{ address: host, family }];
      const refused = addresses.find(({ address }) => !isAllowed(address));
      if (refused) throw new RefusedAddress(refused.address);
      return addresses;
    },
  };
}

/**
 * Whether a URL names an address that is not allowed. `URL` has turned every way to write one (`0x7f.1`, `2130706433`) into
 * the usual one by then; names are checked when they are resolved.
 */
export function namesRefusedAddress(guard: Guard, url: string): boolean {
  const host = hostOf(new URL(url));
  return isIP(host) !== 0 && !guard.isAllowed(host);
}

/** The host of a URL as sockets take it: IPv6 without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** The addresses of a host, in their order, all of them allowed; none: `problem` says why. */
export interface Found {
  addresses: readonly string[];
  problem: string;
}

const keptMs = 60_000;
const failedMs = 5_000;
/** Hosts come from what tenants, and peers, write. */
const mostKnown = 10_000;

/**
 * The addresses of hosts that somebody else chose, through the guard, remembered for a minute. When nobody can tell, what was
 * known stays; an address that is not allowed does not. Connect to one of these, and to nothing else.
 */
export function makeAddresses({ guard, now }: { guard: Guard; now(): number }): (host: string) => Promise<Found> {
  const known = new Map<string, { found: Promise<Found>; untilMs: number }>();

  const remember = (host: string, found: Promise<Found>, ms: number): void => {
    known.delete(host);
    if (known.size >= mostKnown) known.delete(known.keys().next().value!);
    known.set(host, { found, untilMs: now() + ms });
  };

  async function lookUp(host: string, before: Found | undefined): Promise<{ found: Found; isSure: boolean }> {
    try {
      const addresses = (await guard.addressesOf(host)).map(({ address }) => address);
      const isSure = addresses.length > 0;
      return { found: { addresses, problem: isSure ? '' : `${host} has no address.` }, isSure };
    } catch (error) {
      const isRefused = (error as Error).name === 'RefusedAddress';
      if (before && before.addresses.length > 0 && !isRefused) return { found: before, isSure: false };
      return { found: { addresses: [], problem: (error as Error).message }, isSure: false };
    }
  }

  return async (host) => {
    const last = known.get(host);
    if (last && last.untilMs > now()) return last.found;
    const looking = Promise.resolve(last?.found).then((before) => lookUp(host, before));
    const found = looking.then((answer) => answer.found);
    // Whoever asks meanwhile gets the same answer.
    remember(host, found, failedMs);
    if ((await looking).isSure) remember(host, found, keptMs);
    return found;
  };
}
