import type { Guard } from './guard.ts';

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
