import { BlockList, isIP } from 'node:net';

/** A set of networks, and whether an address is in one of them. */
export interface Networks {
  has(address: string): boolean;
}

/** One network as people write it: `10.0.0.0/8`, `fd00::/8`, or a single address. undefined: it is none. */
export interface Network {
  address: string;
  family: 4 | 6;
  bits: number;
}

/** The whole world, and what is inside. */
export const everyNetwork = ['0.0.0.0/0', '::/0'];

export function parseNetwork(text: string): Network | undefined {
  const [address = '', mask, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || rest.length > 0) return undefined;
  const width = widthOf(family as 4 | 6);
  if (mask !== undefined && !/^\d{1,3}$/.test(mask)) return undefined;
  const bits = mask === undefined ? width : Number(mask);
  if (bits > width) return undefined;
  const inside = plainAddress(address);
  // A network within ::ffff:0:0/96 is one of IPv4 addresses.
  if (family === 6 && isIP(inside) === 4 && bits >= 96) return { address: inside, family: 4, bits: bits - 96 };
  return { address, family: family as 4 | 6, bits };
}

export function makeNetworks(networks: readonly string[]): Networks {
  const lists = { 4: new BlockList(), 6: new BlockList() };
  for (const text of networks) {
    const network = parseNetwork(text);
    if (!network) throw new Error(`${text} is not a network.`);
    lists[network.family].addSubnet(network.address, network.bits, network.family === 4 ? 'ipv4' : 'ipv6');
  }
  return {
    has(address) {
      const plain = plainAddress(address);
      const family = isIP(plain);
      return family !== 0 && lists[family as 4 | 6].check(plain, family === 4 ? 'ipv4' : 'ipv6');
    },
  };
}

/** Whether its address has bits beyond the mask, as `192.0.2.1/24` has. */
export function hasHostBits({ address, family, bits }: Network): boolean {
  const beyond = BigInt(widthOf(family) - bits);
  return (numberOf(address, family) >> beyond) << beyond !== numberOf(address, family);
}

/** How many bits an address of the family has. */
const widthOf = (family: 4 | 6): number => (family === 6 ? 128 : 32);

/** An address as the number that its bits are. */
function numberOf(address: string, family: 4 | 6): bigint {
  const [groups, bits] = family === 4 ? [address.split('.').map(Number), 8n] : [groupsOf6(address), 16n];
  return groups.reduce((sum, group) => (sum << bits) | BigInt(group), 0n);
}

function groupsOf6(address: string): number[] {
  // The URL parser writes IPv4 within IPv6 as hexadecimal groups, which leaves one form to read.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string | undefined): string[] => (text ? text.split(':') : []);
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  return [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail)].map((group) =>
    Number.parseInt(group, 16),
  );
}

/** An address without its zone; the IPv4 address inside an IPv4-mapped IPv6 one, which is what a socket connects to. */
export function plainAddress(address: string): string {
  if (isIP(address) !== 6) return address;
  const [bare = ''] = address.split('%');
  // The URL parser writes every IPv6 address in one way, the IPv4 part as two hexadecimal groups.
  const [, high, low] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(new URL(`http://[${bare}]`).hostname) ?? [];
  if (high === undefined || low === undefined) return bare;
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [first >> 8, first & 255, second >> 8, second & 255].join('.');
}

/**
 * Finds what belongs to the networks that an address is in. A look-up costs one step for each length of prefix that is in use (at
 * most 33 for IPv4, 129 for IPv6), however many networks there are.
 */
export interface NetworkIndex<T> {
  add(network: string, value: T): void;
  remove(network: string, value: T): void;
  /** What belongs to any network with this address. */
  find(address: string): Set<T>;
}

interface Level<T> {
  family: 4 | 6;
  /** How many bits of an address are left out. */
  beyond: bigint;
  /** By the bits of the prefix. */
  networks: Map<bigint, Set<T>>;
}

export function makeNetworkIndex<T>(): NetworkIndex<T> {
  const levels = new Map<string, Level<T>>();

  function placeOf(text: string): { name: string; level: Level<T>; prefix: bigint } {
    const network = parseNetwork(text);
    if (!network) throw new Error(`${text} is not a network.`);
    const { address, family, bits } = network;
    const name = `${family}/${bits}`;
    const level = levels.get(name) ?? { family, beyond: BigInt(widthOf(family) - bits), networks: new Map() };
    return { name, level, prefix: numberOf(address, family) >> level.beyond };
  }

  return {
    add(network, value) {
      const { name, level, prefix } = placeOf(network);
      levels.set(name, level);
      const values = level.networks.get(prefix);
      if (values) values.add(value);
      else level.networks.set(prefix, new Set([value]));
    },
    remove(network, value) {
      const { name, level, prefix } = placeOf(network);
      const values = level.networks.get(prefix);
      values?.delete(value);
      if (values?.size === 0) level.networks.delete(prefix);
      if (level.networks.size === 0) levels.delete(name);
    },
    find(address) {
      const found = new Set<T>();
      const plain = plainAddress(address);
      const family = isIP(plain);
      if (family === 0) return found;
      const number = numberOf(plain, family as 4 | 6);
      for (const level of levels.values()) {
        if (level.family !== family) continue;
        for (const value of level.networks.get(number >> level.beyond) ?? []) found.add(value);
      }
      return found;
    },
  };
}
