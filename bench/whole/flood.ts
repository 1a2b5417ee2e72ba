import { setTimeout as sleep } from 'node:timers/promises';
import { randomFor } from '../../test/fuzz/random.ts';
import { operationsSurface } from '../../test/fuzz/surfaces/operations.ts';
import { startTarget } from '../../test/fuzz/target.ts';
import type { Figure, Run } from '../figures.ts';

const rounds = 3;
const hands = 12;
const seed = 16;
/** After the caches and batches of the last requests have gone. */
const restMs = 2_000;
const mebibyte = 2 ** 20;

/**
 * What is still in use after floods of mutated requests to every operation, each time after a collection. The first floods fill what is
 * bounded by the program itself, as the compiled checks of every body; from then on nothing may be added. RSS says less: it also holds
 * what the engine and the allocator keep for the next flood.
 */
export async function flood({ scope, quick, progress }: Run): Promise<Figure[]> {
  const perRound = quick ? 1_500 : 8_000;
  const target = await startTarget('http://127.0.0.1:9');
  scope.defer(() => target.stop());
  const surface = operationsSurface(target);
  let thrown = 0;
  const throwCases = async (count: number): Promise<void> => {
    const last = thrown + count;
    const hand = async (): Promise<void> => {
      // A connection that is cut is an answer as well; what is wrong with answers, `npm run fuzz` looks after.
      while (thrown < last) await surface.attack(randomFor(seed, surface.name, ++thrown)).catch(() => {});
    };
    await Promise.all(Array.from({ length: hands }, hand));
    await sleep(restMs);
  };
  const atRest = await target.memory();
  // Every check of every operation has been compiled at the end of this one.
  await throwCases(2 * perRound);
  const inUse: { heap: number; external: number; rss: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    if (round > 0) await throwCases(perRound);
    const now = await target.memory();
    inUse.push(now);
    progress(`after ${thrown} requests: heap ${mib(now.heap)}, RSS ${mib(now.rss)} MiB`);
  }
  const grown = inUse.at(-1)!.heap - inUse[0]!.heap;
  return [
    {
      row: 'flood',
      what: `heap that ${rounds * perRound} mutated requests add, after ${2 * perRound} of the same`,
      figure: grown / mebibyte,
      unit: 'MiB',
      details: {
        'heap at rest MiB': mib(atRest.heap),
        'heap MiB': inUse.map(({ heap }) => mib(heap)).join(', '),
        'RSS MiB': inUse.map(({ rss }) => mib(rss)).join(', '),
      },
    },
  ];
}

const mib = (bytes: number): string => (bytes / mebibyte).toFixed(1);
