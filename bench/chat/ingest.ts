import { type Figure, median, type Run } from '../figures.ts';
import { settleLog, startDatabase } from '../kit/database.ts';
import { connections, type Load, postMessages } from '../kit/load.ts';
import { makeDataDirectory, type Server, startBare, startParley } from '../kit/server.ts';

const rounds = 2;
const target = 0.5;

/**
 * Durable acceptance: the rate of 201s, each after its commit, against a bare Fastify route on the same machine. Parley
 * only accepts here (ROLES=api); what it costs to carry the messages out is the row `through`. The warm-up writes as much log as a round does,
 * so that the log is written into files that were there before, as on a server that has run for a while.
 */
export async function ingest({ scope, quick, progress }: Run): Promise<Figure[]> {
  const [warmUpSeconds, seconds] = quick ? [4, 3] : [15, 10];
  const bare = await startBare(scope);
  const dataDirectory = await makeDataDirectory(scope);
  const database = await startDatabase(scope, dataDirectory);
  const settings = { DATABASE_URL: database.url };
  const parley = await startParley(scope, { dataDirectory, roles: 'api', settings });
  const loads = new Map<Server, Load[]>([
    [bare, []],
    [parley, []],
  ]);
  for (const server of loads.keys()) await postMessages(scope, server, warmUpSeconds);
  for (let round = 0; round < rounds; round++) {
    for (const [server, of] of loads) {
      if (server === parley) await settleLog(database);
      const load = await postMessages(scope, server, seconds);
      const name = server === bare ? 'bare Fastify' : 'Parley';
      if (load.failed > 0) throw new Error(`${name}: ${load.failed} requests were not answered with success`);
      progress(`${name}: ${Math.round(load.requestsPerSecond)} requests/s`);
      of.push(load);
    }
  }
  const of = (server: Server, name: keyof Load): number => median(loads.get(server)!.map((load) => load[name]));
  const [figure, reference] = [of(parley, 'requestsPerSecond'), of(bare, 'requestsPerSecond')];
  return [
    {
      row: 'ingest',
      what: `POST a template message, ${connections} connections, ROLES=api, 201 after the commit`,
      figure,
      unit: 'requests/s',
      reference: { what: 'bare Fastify', figure: reference },
      ratio: figure / reference,
      p50Ms: of(parley, 'p50Ms'),
      p99Ms: of(parley, 'p99Ms'),
      target: `ratio ≥ ${target}`,
      met: figure / reference >= target,
      details: { 'bare p50 ms': of(bare, 'p50Ms'), 'bare p99 ms': of(bare, 'p99Ms'), 'answers other than 2xx': 0 },
    },
  ];
}
