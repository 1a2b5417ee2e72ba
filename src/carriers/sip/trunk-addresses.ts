import type { Guard } from '../../platform/outbound/guard.ts';

export interface Found {
  addresses: readonly string[];
  problem: string;
}

const keptMs = 60_000;
const failedMs = 5_000;
/** Hosts come from what tenants write, too. */
const mostKnown = 1_000;

/**
 * The addresses of trunks' hosts: calls go to the first, and may come from all. A name is looked up once a minute; when nobody can
 * tell, what was known stays.
 */
export function makeAddresses({ guard, now }: { guard: Guard; now(): number }) {
  const known = new Map<string, { found: Promise<Found>; until: number }>();

  async function lookUp(host: string, before: Found | undefined): Promise<Found> {
    try {
      const addresses = (await guard.addressesOf(host)).map(({ address }) => address);
      return addresses.length > 0 ? { addresses, problem: '' } : { addresses, problem: `${host} has no address.` };
    } catch (error) {
      const isRefused = (error as Error).name === 'RefusedAddress';
      if (before && before.addresses.length > 0 && !isRefused) return before;
      return { addresses: [], problem: (error as Error).message };
    }
  }

  return async (host: string): Promise<Found> => {
    const last = known.get(host);
    if (last && last.until > now()) return last.found;
    if (known.size >= mostKnown) known.clear();
    const found = Promise.resolve(last?.found).then((before) => lookUp(host, before));
    known.set(host, { found, until: now() + failedMs });
    const { problem } = await found;
    known.set(host, { found, until: now() + (problem === '' ? keptMs : failedMs) });
    return found;
  };
}
