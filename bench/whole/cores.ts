import { type Figure, median, type Run } from '../figures.ts';
import { readTreeMs } from '../kit/cpu.ts';
import { connections, postMessages } from '../kit/load.ts';
import { makeDataDirectory, type Server, startParley } from '../kit/server.ts';

const counts = [1, 4] as const;
const rounds = 5;
const most = 1.05;

/**
 * What it costs to accept a message with one process and with four: processor time of all of them and of PostgreSQL, for each 201.
 * Every process has as many connections and is warmed up as long. The two take turns, and each round is compared by itself: a shared machine is not as
 * fast at every moment.
 * On a machine with fewer cores than that, too: what is compared is work, not speed.
 */
export async function cores({ scope, quick, progress }: Run): Promise<Figure[]> {
  const [warmUpSeconds, seconds] = quick ? [3, 4] : [8, 10];
  const servers: { count: number; parley: Server; costs: number[] }[] = [];
  for (const count of counts) {
    const settings = { PROCESSES: String(count) };
    const dataDirectory = await makeDataDirectory(scope);
    const parley = await startParley(scope, { dataDirectory, roles: 'api', settings });
    await postMessages(scope, parley, warmUpSeconds * count, connections * count);
    servers.push({ count, parley, costs: [] });
  }
  for (let round = 0; round < rounds; round++) {
    for (const { count, parley, costs } of round % 2 === 0 ? servers : servers.toReversed()) {
      const beforeMs = await readTreeMs(parley.pid);
      const load = await postMessages(scope, parley, seconds, connections * count);
      const usedMs = (await readTreeMs(parley.pid)) - beforeMs;
      if (load.failed > 0) throw new Error(`${load.failed} requests were not answered with success`);
      costs.push((usedMs * 1000) / (load.requestsPerSecond * seconds));
      progress(`${count} processes: ${Math.round(costs.at(-1)!)} µs for each, ${Math.round(load.requestsPerSecond)}/s`);
    }
  }
  const [ofOne, ofFour] = servers.map(({ costs }) => costs) as [number[], number[]];
  const ratios = ofFour.map((cost, round) => cost / ofOne[round]!);
  const [one, four, ratio] = [ofOne, ofFour, ratios].map(median) as [number, number, number];
  return [
    {
      row: 'processes',
      what: `Processor time for each accepted message, PROCESSES=4, ROLES=api, PostgreSQL included, ${connections} connections each`,
      figure: four,
      unit: 'µs',
      reference: { what: 'PROCESSES=1', figure: one },
      ratio,
      target: `ratio ≤ ${most}`,
      met: ratio <= most,
      details: Object.fromEntries(ratios.map((one, round) => [`ratio of round ${round + 1}`, one])),
    },
  ];
}
