import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure, Run } from '../figures.ts';
import { listTree, readPssKiB } from '../kit/processes.ts';
import { makeDataDirectory, startParley } from '../kit/server.ts';

/** What Parley holds ten seconds after a warm start, with nothing to do. */
export async function memory({ scope, quick }: Run): Promise<Figure[]> {
  const restMs = quick ? 3_000 : 10_000;
  const dataDirectory = await makeDataDirectory(scope);
  const cold = await startParley(scope, { dataDirectory });
  await cold.stop();
  const parley = await startParley(scope, { dataDirectory });
  await sleep(restMs);
  const tree = await listTree(parley.pid);
  // Proportional shares add up to what the tree really takes; where they are not to be had, shared pages count several times.
  const shares = await Promise.all(tree.map(async ({ pid }) => ({ pid, pssKiB: await readPssKiB(pid) })));
  const isProportional = shares.every(({ pssKiB }) => pssKiB !== undefined);
  const kiB = (pid: number): number =>
    isProportional ? shares.find((share) => share.pid === pid)!.pssKiB! : tree.find((info) => info.pid === pid)!.rssKiB;
  const measure = isProportional ? 'PSS' : 'RSS';
  const node = tree.find(({ pid }) => pid === parley.pid)!;
  const treeMiB = tree.reduce((sum, { pid }) => sum + kiB(pid), 0) / 1024;
  const nodeMiB = kiB(node.pid) / 1024;
  return [
    {
      row: 'memory',
      what: `idle ${restMs / 1000} s after a warm start, Node and PostgreSQL (${measure})`,
      figure: treeMiB,
      unit: 'MiB',
      details: {
        [`Node ${measure} MiB`]: nodeMiB,
        'Node RSS MiB': node.rssKiB / 1024,
        [`PostgreSQL ${measure} MiB`]: treeMiB - nodeMiB,
        'PostgreSQL processes': tree.length - 1,
      },
    },
  ];
}
