import type { Guard } from '../../platform/outbound/guard.ts';

/** The addresses that links connect to. They are checked here, and carriers connect to nothing else. */
export interface Addresses {
  /** `problem`: why there is no address. */
  of(
    link: string,
    host: string,
  ): Promise<{ address: string; problem?: undefined } | { address?: undefined; problem: string }>;
}

const keptMs = 60_000;
const failedMs = 5_000;

interface Known {
  host: string;
  answer: Awaited<ReturnType<Addresses['of']>>;
  until: number;
}

/** A name is looked up once a minute. A link keeps its address while the name still has it, and when nobody can tell. */
export function makeAddresses({ guard, now }: { guard: Guard; now(): number }): Addresses {
  const known = new Map<string, Known>();

  return {
    async of(link, host) {
      const before = known.get(link);
      if (before?.host === host && before.until > now()) return before.answer;
      const last = before?.host === host ? before.answer.address : undefined;
      const remember = (answer: Known['answer'], ms: number) => {
        known.set(link, { host, answer, until: now() + ms });
        return answer;
      };
      try {
        const found = await guard.addressesOf(host);
        const address = found.find((one) => one.address === last)?.address ?? found[0]?.address;
        if (address === undefined) return remember({ problem: `${host} has no address.` }, failedMs);
        return remember({ address }, keptMs);
      } catch (error) {
        const isRefused = (error as Error).name === 'RefusedAddress';
        if (last !== undefined && !isRefused) return remember({ address: last }, failedMs);
        return remember({ problem: (error as Error).message }, failedMs);
      }
    },
  };
}
