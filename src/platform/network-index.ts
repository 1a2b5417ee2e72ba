import { isIP } from 'node:net';
import { numberOf, parseNetwork, plainAddress, widthOf } from './networks.ts';

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
