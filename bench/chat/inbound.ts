import { type Figure, median, type Run } from '../figures.ts';
import { registerSender } from '../kit/cloud.ts';
import { settleLog, startDatabase } from '../kit/database.ts';
import { connections } from '../kit/load.ts';
import { makePool, type PayloadLoad, postPayloads } from '../kit/payloads.ts';
import { makeDataDirectory, startBare, startParley } from '../kit/server.ts';

const rounds = 2;
const target = 0.5;
/** What Parley is far from, so that it never gets a payload twice. */
const mostPerSecond = 40_000;

/**
 * Webhooks of the platform: the rate of 200s, each after the signature was checked and the payload committed, against a bare
 * Fastify route that reads the same body. Nothing is interpreted here (ROLES=api,connector).
 */
export async function inbound({ scope, quick, progress }: Run): Promise<Figure[]> {
  const [warmUpSeconds, seconds] = quick ? [2, 1] : [4, 3];
  const size = (warmUpSeconds + rounds * seconds) * mostPerSecond;
  const dataDirectory = await makeDataDirectory(scope);
  const pool = await makePool(dataDirectory, size);
  const [database, bare] = await Promise.all([startDatabase(scope, dataDirectory), startBare(scope)]);
  const settings = { DATABASE_URL: database.url };
  const parley = await startParley(scope, { dataDirectory, roles: 'api,connector', settings });
  const { webhook_path: webhookPath } = await registerSender(parley, 80);

  let used = 0;
  let answered = 0;
  const postToParley = async (forSeconds: number): Promise<PayloadLoad> => {
    const part = { ...pool, first: used, most: forSeconds * mostPerSecond };
    const load = await postPayloads(scope, `${parley.url}${webhookPath}`, part, forSeconds);
    used += load.used;
    answered += load.requests;
    if (load.used > part.most) throw new Error(`${part.most} payloads for ${forSeconds} s are not enough`);
    return load;
  };
  // It would not notice if payloads came twice.
  const bareUrl = `${bare.url}${webhookPath}`;
  const postToBare = (forSeconds: number): Promise<PayloadLoad> =>
    postPayloads(scope, bareUrl, { ...pool, first: 0, most: mostPerSecond }, forSeconds);

  await postToBare(warmUpSeconds);
  await postToParley(warmUpSeconds);
  const loads = { bare: [] as PayloadLoad[], parley: [] as PayloadLoad[] };
  for (let round = 0; round < rounds; round++) {
    loads.bare.push(await postToBare(seconds));
    await settleLog(database);
    loads.parley.push(await postToParley(seconds));
    const [bareRate, parleyRate] = [loads.bare, loads.parley].map((of) => Math.round(of.at(-1)!.requestsPerSecond));
    progress(`bare Fastify ${bareRate} requests/s, Parley ${parleyRate} requests/s`);
  }
  const failed = [...loads.bare, ...loads.parley].reduce((sum, load) => sum + load.failed, 0);
  if (failed > 0) throw new Error(`${failed} requests were not answered with success`);
  const { rows } = await database.client.query('select count(*)::int as kept from inbound_payloads');
  const kept: number = rows[0].kept;
  // Requests that were under way when a load ended may have been kept without their answer being counted.
  if (kept < answered || kept > used)
    throw new Error(`${answered} of ${used} payloads were answered, ${kept} are kept`);

  const of = (some: PayloadLoad[], name: keyof PayloadLoad): number => median(some.map((load) => load[name]));
  const [figure, reference] = [of(loads.parley, 'requestsPerSecond'), of(loads.bare, 'requestsPerSecond')];
  return [
    {
      row: 'inbound',
      what: `POST a signed webhook, ${connections} connections, ROLES=api,connector, 200 after the commit`,
      figure,
      unit: 'requests/s',
      reference: { what: 'bare Fastify', figure: reference },
      ratio: figure / reference,
      p50Ms: of(loads.parley, 'p50Ms'),
      p99Ms: of(loads.parley, 'p99Ms'),
      target: `ratio ≥ ${target}`,
      met: figure / reference >= target,
      details: { 'payloads answered': answered, 'rows there': kept },
    },
  ];
}
